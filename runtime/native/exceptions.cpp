// Exceptions are not unwound: a throw that is reached ends the run with an error that names the type, and the message
// if there is one. The classes of the standard library are here because programs name them.
#include <cstring>
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>

#include "heddle_runtime.h"

namespace {

// The latest standard exception that was made with a message, and where it lies.
thread_local const void* described;
thread_local const char* description;

void describe(const void* object, const char* text) {
  described = object;
  description = text;
}

// From "St13runtime_error", "N3net5ErrorE" or "i" to something to read.
void readable_type(const char* name, char* to, std::size_t room) {
  static const struct {
    char code;
    const char* text;
  } simple[] = {{'i', "int"},  {'j', "unsigned int"}, {'l', "long"},   {'m', "unsigned long"},
                {'c', "char"}, {'b', "bool"},         {'d', "double"}, {'f', "float"}};
  std::size_t used = 0;
  const auto add = [&](const char* text, std::size_t count) {
    for (std::size_t i = 0; i < count && used + 1 < room; ++i) to[used++] = text[i];
    to[used] = '\0';
  };
  to[0] = '\0';
  const char* at = name;
  if (*at == '*') ++at;
  if (std::strcmp(at, "PKc") == 0) return add("const char*", 11);
  if (at[1] == '\0') {
    for (const auto& each : simple) {
      if (each.code == *at) return add(each.text, std::strlen(each.text));
    }
  }
  bool nested = false;
  if (*at == 'N') {
    nested = true;
    ++at;
  }
  bool any = false;
  if (at[0] == 'S' && at[1] == 't') {
    add("std", 3);
    at += 2;
    any = true;
  }
  while (*at >= '0' && *at <= '9') {
    std::size_t length = 0;
    for (; *at >= '0' && *at <= '9'; ++at) length = length * 10 + static_cast<std::size_t>(*at - '0');
    if (length > std::strlen(at)) break;
    if (any) add("::", 2);
    if (std::strncmp(at, "_GLOBAL__N_1", 12) == 0) {
      add("(anonymous)", 11);
    } else {
      add(at, length);
    }
    at += length;
    any = true;
  }
  if (!any || (*at != '\0' && !(nested && *at == 'E'))) {
    used = 0;
    add(name, std::strlen(name));
  }
}

[[noreturn]] void throws(const char* what, const char* text) {
  if (text != nullptr) __heddle_error(heddle_unsupported, "throws %s: %s", what, text);
  __heddle_error(heddle_unsupported, "throws %s", what);
}

}  // namespace

extern "C" {

void* __cxa_allocate_exception(std::size_t bytes) noexcept { return __heddle_alloc(bytes, heddle_malloc); }
void __cxa_free_exception(void* object) noexcept { __heddle_free(object, heddle_malloc); }

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void (*)(void*)) {
  char name[120];
  readable_type(type->name(), name, sizeof name);
  throws(name, object == described ? description : nullptr);
}
[[noreturn]] void __cxa_rethrow() { __heddle_error(heddle_unsupported, "throws an exception again"); }
[[noreturn]] void __cxa_throw_bad_array_new_length() { throws("std::bad_array_new_length", nullptr); }
[[noreturn]] void __cxa_bad_cast() { throws("std::bad_cast", nullptr); }
[[noreturn]] void __cxa_bad_typeid() { throws("std::bad_typeid", nullptr); }
[[noreturn]] void __cxa_pure_virtual() { __heddle_error(heddle_terminate, "calls a pure virtual function"); }
[[noreturn]] void __cxa_deleted_virtual() { __heddle_error(heddle_terminate, "calls a deleted virtual function"); }
[[noreturn]] void __clang_call_terminate(void*) { __heddle_error(heddle_terminate, "calls std::terminate()"); }
void* __cxa_begin_catch(void* object) noexcept { return object; }
void __cxa_end_catch() {}
void* __cxa_get_exception_ptr(void* object) noexcept { return object; }
[[noreturn]] void _Unwind_Resume(void*) { __heddle_error(heddle_unsupported, "goes on with an exception"); }

}  // extern "C"

namespace std {

void terminate() noexcept { __heddle_error(heddle_terminate, "calls std::terminate()"); }
int uncaught_exceptions() noexcept { return 0; }
bool uncaught_exception() noexcept { return false; }
terminate_handler set_terminate(terminate_handler) noexcept { return nullptr; }
terminate_handler get_terminate() noexcept { return nullptr; }

exception::~exception() noexcept = default;
const char* exception::what() const noexcept { return "std::exception"; }
bad_exception::~bad_exception() noexcept = default;
const char* bad_exception::what() const noexcept { return "std::bad_exception"; }
bad_alloc::~bad_alloc() noexcept = default;
const char* bad_alloc::what() const noexcept { return "std::bad_alloc"; }
bad_array_new_length::~bad_array_new_length() noexcept = default;
const char* bad_array_new_length::what() const noexcept { return "std::bad_array_new_length"; }
bad_cast::~bad_cast() noexcept = default;
const char* bad_cast::what() const noexcept { return "std::bad_cast"; }
bad_typeid::~bad_typeid() noexcept = default;
const char* bad_typeid::what() const noexcept { return "std::bad_typeid"; }
bad_function_call::~bad_function_call() noexcept = default;
const char* bad_function_call::what() const noexcept { return "bad_function_call"; }

// The message of these classes is kept as a pointer: nobody ever catches one, and only __cxa_throw reads it.
__cow_string::__cow_string() : _M_p("") {}
__cow_string::__cow_string(const std::string& text) : _M_p(text.c_str()) {}
__cow_string::__cow_string(const char* text, size_t) : _M_p(text) {}
__cow_string::__cow_string(const __cow_string& other) noexcept : _M_p(other._M_p) {}
__cow_string& __cow_string::operator=(const __cow_string& other) noexcept {
  _M_p = other._M_p;
  return *this;
}
__cow_string::~__cow_string() {}
__cow_string::__cow_string(__cow_string&& other) noexcept : _M_p(other._M_p) {}
__cow_string& __cow_string::operator=(__cow_string&& other) noexcept {
  _M_p = other._M_p;
  return *this;
}

static char* kept(const char* text) {
  const size_t bytes = strlen(text) + 1;
  char* copy = static_cast<char*>(__heddle_alloc(bytes, heddle_malloc));
  __builtin_memcpy(copy, text, bytes);
  return copy;
}

logic_error::logic_error(const char* text) : _M_msg(text, 0) { describe(this, text); }
logic_error::logic_error(const string& text) : _M_msg(kept(text.c_str()), 0) { describe(this, _M_msg._M_p); }
logic_error::logic_error(const logic_error& other) noexcept : exception(other), _M_msg(other._M_msg) {
  describe(this, _M_msg._M_p);
}
logic_error::logic_error(logic_error&& other) noexcept : exception(other), _M_msg(other._M_msg) {
  describe(this, _M_msg._M_p);
}
logic_error& logic_error::operator=(const logic_error& other) noexcept {
  _M_msg = other._M_msg;
  return *this;
}
logic_error::~logic_error() noexcept = default;
const char* logic_error::what() const noexcept { return _M_msg._M_p; }

runtime_error::runtime_error(const char* text) : _M_msg(text, 0) { describe(this, text); }
runtime_error::runtime_error(const string& text) : _M_msg(kept(text.c_str()), 0) { describe(this, _M_msg._M_p); }
runtime_error::runtime_error(const runtime_error& other) noexcept : exception(other), _M_msg(other._M_msg) {
  describe(this, _M_msg._M_p);
}
runtime_error::runtime_error(runtime_error&& other) noexcept : exception(other), _M_msg(other._M_msg) {
  describe(this, _M_msg._M_p);
}
runtime_error& runtime_error::operator=(const runtime_error& other) noexcept {
  _M_msg = other._M_msg;
  return *this;
}
runtime_error::~runtime_error() noexcept = default;
const char* runtime_error::what() const noexcept { return _M_msg._M_p; }

#define HEDDLE_EXCEPTION(name, base)             \
  name::name(const char* text) : base(text) {}   \
  name::name(const string& text) : base(text) {} \
  name::~name() noexcept = default;
HEDDLE_EXCEPTION(domain_error, logic_error)
HEDDLE_EXCEPTION(invalid_argument, logic_error)
HEDDLE_EXCEPTION(length_error, logic_error)
HEDDLE_EXCEPTION(out_of_range, logic_error)
HEDDLE_EXCEPTION(range_error, runtime_error)
HEDDLE_EXCEPTION(overflow_error, runtime_error)
HEDDLE_EXCEPTION(underflow_error, runtime_error)

// What the headers of the standard library call instead of throwing themselves.
void __throw_bad_exception() { throws("std::bad_exception", nullptr); }
void __throw_bad_alloc() { throws("std::bad_alloc", nullptr); }
void __throw_bad_array_new_length() { throws("std::bad_array_new_length", nullptr); }
void __throw_bad_cast() { throws("std::bad_cast", nullptr); }
void __throw_bad_typeid() { throws("std::bad_typeid", nullptr); }
void __throw_logic_error(const char* text) { throws("std::logic_error", text); }
void __throw_domain_error(const char* text) { throws("std::domain_error", text); }
void __throw_invalid_argument(const char* text) { throws("std::invalid_argument", text); }
void __throw_length_error(const char* text) { throws("std::length_error", text); }
void __throw_out_of_range(const char* text) { throws("std::out_of_range", text); }
void __throw_out_of_range_fmt(const char* text, ...) { throws("std::out_of_range", text); }
void __throw_runtime_error(const char* text) { throws("std::runtime_error", text); }
void __throw_range_error(const char* text) { throws("std::range_error", text); }
void __throw_overflow_error(const char* text) { throws("std::overflow_error", text); }
void __throw_underflow_error(const char* text) { throws("std::underflow_error", text); }
void __throw_ios_failure(const char* text) { throws("std::ios_base::failure", text); }
void __throw_bad_function_call() { throws("std::bad_function_call", nullptr); }
void __throw_system_error(int error) {
  __heddle_error(heddle_unsupported, "throws std::system_error with number %d", error);
}
void __throw_future_error(int error) {
  __heddle_error(heddle_unsupported, "throws std::future_error with number %d", error);
}
void __throw_regex_error(int) { throws("std::regex_error", nullptr); }

}  // namespace std
