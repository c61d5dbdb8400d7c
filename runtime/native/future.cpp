// std::future, std::promise, std::async: what they keep in the shared library. Exceptions never get into one.
#include <cerrno>
#include <climits>
#include <future>

#include "heddle_runtime.h"

namespace std {

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;

future_error::~future_error() noexcept = default;
const char* future_error::what() const noexcept { return "std::future_error"; }
const error_category& future_category() noexcept { __heddle_error(heddle_unsupported, "throws std::future_error"); }

void __future_base::_State_baseV2::_Make_ready::_M_set() {
  __heddle_error(heddle_unsupported, "makes a future ready at the end of a thread");
}

static bool wait_until(unsigned* address, unsigned value, bool timed) {
  return __heddle_futex_wait(reinterpret_cast<int*>(address), static_cast<int>(value), timed) == 0 ||
         errno != ETIMEDOUT;
}
bool __atomic_futex_unsigned_base::_M_futex_wait_until(unsigned* address, unsigned value, bool timed, chrono::seconds,
                                                       chrono::nanoseconds) {
  return wait_until(address, value, timed);
}
bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned* address, unsigned value, bool timed,
                                                              chrono::seconds, chrono::nanoseconds) {
  return wait_until(address, value, timed);
}
void __atomic_futex_unsigned_base::_M_futex_notify_all(unsigned* address) {
  __heddle_futex_wake(reinterpret_cast<int*>(address), INT_MAX);
}

namespace __exception_ptr {
exception_ptr::exception_ptr(void* object) noexcept : _M_exception_object(object) {}
void exception_ptr::_M_addref() noexcept {}
void exception_ptr::_M_release() noexcept {}
void* exception_ptr::_M_get() const noexcept { return _M_exception_object; }
}  // namespace __exception_ptr
exception_ptr current_exception() noexcept { return {}; }
void rethrow_exception(exception_ptr) { __heddle_error(heddle_unsupported, "throws an exception again"); }

}  // namespace std
