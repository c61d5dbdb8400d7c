// std::cout, std::cerr and std::clog, without the machinery of locales and buffers: what is written to one is output
// of the run at once. Width, fill, base, precision and boolalpha are honoured; other streams are not supported.
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <ostream>
#include <string>

#include "heddle_runtime.h"

// A stream in memory: a pointer to the table of its class, which tells where std::ios begins, and std::ios itself.
namespace {

const long stream_table[6] = {8};

struct Stream {
  const long* table;
  const void* ios_table;
  long precision, width;
  unsigned flags;
  char rest[sizeof(std::ios) - 28];
};
static_assert(sizeof(Stream) == sizeof(std::ostream));
constexpr unsigned first_flags =
    static_cast<unsigned>(std::ios_base::dec) | static_cast<unsigned>(std::ios_base::skipws);

}  // namespace

extern "C" {
#define HEDDLE_STREAM(name, symbol)   \
  extern Stream name __asm__(symbol); \
  Stream name = {stream_table + 3, nullptr, 6, 0, first_flags, {}};
HEDDLE_STREAM(__heddle_cout, "_ZSt4cout")
HEDDLE_STREAM(__heddle_cerr, "_ZSt4cerr")
HEDDLE_STREAM(__heddle_clog, "_ZSt4clog")
}

namespace {

using std::ios_base;
using std::ostream;

void put_text(ostream* stream, const char* text, std::size_t count) {
  const void* at = stream;
  if (at != &__heddle_cout && at != &__heddle_cerr && at != &__heddle_clog) {
    __heddle_error(heddle_unsupported, "writes to a stream other than std::cout, std::cerr and std::clog");
  }
  __heddle_print(text, count);
}

// The member functions of streams are templates that the headers declare to be elsewhere: here, by their symbols.
ostream* insert(ostream* stream, const char* text, std::size_t count) {
  const long missing = stream->width() - static_cast<long>(count);
  const bool left = (stream->flags() & ios_base::adjustfield) == ios_base::left;
  const char fill = stream->fill();
  if (left) put_text(stream, text, count);
  for (long i = 0; i < missing; ++i) put_text(stream, &fill, 1);
  if (!left) put_text(stream, text, count);
  stream->width(0);
  return stream;
}

// Numbers, by a conversion of printf with the stream's flags.
template <typename Number>
ostream* insert_number(ostream* stream, Number value, const char* length, char conversion) {
  char format[16], text[400];
  std::size_t at = 0;
  const auto flags = stream->flags();
  format[at++] = '%';
  if ((flags & ios_base::showpos) != 0) format[at++] = '+';
  if ((flags & (ios_base::showbase | ios_base::showpoint)) != 0) format[at++] = '#';
  const bool floating = conversion == 'g';
  if (floating) {
    format[at++] = '.';
    format[at++] = '*';
    const auto style = flags & ios_base::floatfield;
    if (style == ios_base::fixed) conversion = 'f';
    if (style == ios_base::scientific) conversion = 'e';
  } else if (conversion != 'p') {
    const auto base = flags & ios_base::basefield;
    if (base == ios_base::hex) conversion = 'x';
    if (base == ios_base::oct) conversion = 'o';
  }
  const bool letters = conversion == 'x' || conversion == 'g' || conversion == 'f' || conversion == 'e';
  if ((flags & ios_base::uppercase) != 0 && letters) conversion = static_cast<char>(conversion - 'a' + 'A');
  while (*length != '\0') format[at++] = *length++;
  format[at++] = conversion;
  format[at] = '\0';
  const int count = floating ? snprintf(text, sizeof text, format, static_cast<int>(stream->precision()), value)
                             : snprintf(text, sizeof text, format, value);
  return insert(stream, text, static_cast<std::size_t>(count));
}

}  // namespace

#define HEDDLE_NUMBER(name, type, symbol, length, conversion) \
  ostream* name(ostream* stream, type value) __asm__(symbol); \
  ostream* name(ostream* stream, type value) { return insert_number(stream, value, length, conversion); }

extern "C" {

HEDDLE_NUMBER(__heddle_put_int, int, "_ZNSolsEi", "", 'd')
HEDDLE_NUMBER(__heddle_put_long, long, "_ZNSo9_M_insertIlEERSoT_", "l", 'd')
HEDDLE_NUMBER(__heddle_put_ulong, unsigned long, "_ZNSo9_M_insertImEERSoT_", "l", 'u')
HEDDLE_NUMBER(__heddle_put_long_long, long long, "_ZNSo9_M_insertIxEERSoT_", "l", 'd')
HEDDLE_NUMBER(__heddle_put_ulong_long, unsigned long long, "_ZNSo9_M_insertIyEERSoT_", "l", 'u')
HEDDLE_NUMBER(__heddle_put_double, double, "_ZNSo9_M_insertIdEERSoT_", "", 'g')
HEDDLE_NUMBER(__heddle_put_long_double, long double, "_ZNSo9_M_insertIeEERSoT_", "L", 'g')
HEDDLE_NUMBER(__heddle_put_pointer, const void*, "_ZNSo9_M_insertIPKvEERSoT_", "", 'p')

ostream* __heddle_put_short(ostream* stream, short value) __asm__("_ZNSolsEs");
ostream* __heddle_put_short(ostream* stream, short value) {
  return insert_number(stream, static_cast<int>(value), "", 'd');
}
ostream* __heddle_put_bool(ostream* stream, bool value) __asm__("_ZNSo9_M_insertIbEERSoT_");
ostream* __heddle_put_bool(ostream* stream, bool value) {
  if ((stream->flags() & ios_base::boolalpha) == 0) return insert_number(stream, static_cast<int>(value), "", 'd');
  return insert(stream, value ? "true" : "false", value ? 4 : 5);
}

ostream* __heddle_put_text(ostream* stream, const char* text, long count) __asm__(
    "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l");
ostream* __heddle_put_text(ostream* stream, const char* text, long count) {
  return insert(stream, text, static_cast<std::size_t>(count));
}
ostream* __heddle_put(ostream* stream, char character) __asm__("_ZNSo3putEc");
ostream* __heddle_put(ostream* stream, char character) {
  put_text(stream, &character, 1);
  return stream;
}
ostream* __heddle_write(ostream* stream, const char* text, long count) __asm__("_ZNSo5writeEPKcl");
ostream* __heddle_write(ostream* stream, const char* text, long count) {
  put_text(stream, text, static_cast<std::size_t>(count));
  return stream;
}
ostream* __heddle_flush(ostream* stream) __asm__("_ZNSo5flushEv");
ostream* __heddle_flush(ostream* stream) { return stream; }

}  // extern "C"

namespace std {
ios_base::Init::Init() {}
ios_base::Init::~Init() {}
}  // namespace std
