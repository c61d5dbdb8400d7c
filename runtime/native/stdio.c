// Output. printf, fprintf, sprintf and snprintf are the machine's; here is the rest, over __heddle_print.
#include <stdarg.h>
#include <stdio.h>

#include "heddle_runtime.h"

// The insides of FILE are nobody's business; what counts are the addresses.
static char files[3][8];
FILE* stdin = (FILE*)files[0];
FILE* stdout = (FILE*)files[1];
FILE* stderr = (FILE*)files[2];

static size_t length(const char* text) {
  size_t count = 0;
  while (text[count] != '\0') ++count;
  return count;
}

int puts(const char* text) {
  __heddle_print(text, length(text));
  __heddle_print("\n", 1);
  return 1;
}
int putchar(int character) {
  const char byte = (char)character;
  __heddle_print(&byte, 1);
  return (unsigned char)byte;
}
int fputs(const char* text, FILE* file) {
  (void)file;
  __heddle_print(text, length(text));
  return 1;
}
int fputc(int character, FILE* file) {
  (void)file;
  return putchar(character);
}
int putc(int character, FILE* file) { return fputc(character, file); }
size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  (void)file;
  __heddle_print(bytes, size * count);
  return count;
}
long write(int descriptor, const void* bytes, size_t count) {
  (void)descriptor;
  __heddle_print(bytes, count);
  return (long)count;
}
int fflush(FILE* file) {
  (void)file;
  return 0;
}
void perror(const char* text) {
  if (text != NULL && *text != '\0') {
    __heddle_print(text, length(text));
    __heddle_print(": ", 2);
  }
  __heddle_print("error\n", 6);
}
void setbuf(FILE* file, char* buffer) {
  (void)file;
  (void)buffer;
}
int setvbuf(FILE* file, char* buffer, int mode, size_t size) {
  (void)file;
  (void)buffer;
  (void)mode;
  (void)size;
  return 0;
}

// The v-forms: the format is cut into pieces of one conversion each, which the machine formats.
static int piece(const char* format, size_t count, char* to) {
  enum { longest = 60 };
  if (count >= longest) __heddle_error(heddle_unsupported, "formats with a very long conversion");
  __builtin_memcpy(to, format, count);
  to[count] = '\0';
  return 0;
}

static size_t format_into(char* to, size_t room, const char* format, va_list list) {
  size_t used = 0;
  char spare[1];
  while (*format != '\0') {
    char* at = to != NULL && used < room ? to + used : spare;
    const size_t left = to != NULL && used < room ? room - used : 0;
    if (*format != '%') {
      if (left > 1) *at = *format;
      ++used;
      ++format;
      continue;
    }
    const char* end = format + 1;
    int stars[2] = {0, 0}, star_count = 0, longs = 0, is_size = 0, is_wide = 0;
    for (;; ++end) {
      const char c = *end;
      if (c == '*') {
        stars[star_count++] = va_arg(list, int);
      } else if (c == 'l') {
        ++longs;
      } else if (c == 'z' || c == 't' || c == 'j') {
        is_size = 1;
      } else if (c == 'L') {
        is_wide = 1;
      } else if (c != 'h' && c != '-' && c != '+' && c != ' ' && c != '#' && c != '.' && (c < '0' || c > '9')) {
        break;
      }
    }
    char one[64];
    piece(format, (size_t)(end - format) + 1, one);
    int length = 0;
#define HEDDLE_PIECE(value)                                               \
  length = star_count == 0   ? snprintf(at, left, one, (value))           \
           : star_count == 1 ? snprintf(at, left, one, stars[0], (value)) \
                             : snprintf(at, left, one, stars[0], stars[1], (value))
    switch (*end) {
      case '%':
        length = snprintf(at, left, "%%");
        break;
      case 's':
        HEDDLE_PIECE(va_arg(list, const char*));
        break;
      case 'p':
        HEDDLE_PIECE(va_arg(list, void*));
        break;
      case 'c':
        HEDDLE_PIECE(va_arg(list, int));
        break;
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        if (longs > 0 || is_size) {
          HEDDLE_PIECE(va_arg(list, long));
        } else {
          HEDDLE_PIECE(va_arg(list, int));
        }
        break;
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        if (is_wide) {
          HEDDLE_PIECE(va_arg(list, long double));
        } else {
          HEDDLE_PIECE(va_arg(list, double));
        }
        break;
      default:
        __heddle_error(heddle_unsupported, "formats with %s", one);
    }
#undef HEDDLE_PIECE
    used += (size_t)length;
    format = end + 1;
  }
  if (to != NULL && room > 0) to[used < room ? used : room - 1] = '\0';
  return used;
}

int vsnprintf(char* restrict to, size_t room, const char* restrict format, va_list list) {
  return (int)format_into(to, room, format, list);
}
int vsprintf(char* restrict to, const char* restrict format, va_list list) {
  return (int)format_into(to, (size_t)1 << 20, format, list);
}
int vfprintf(FILE* restrict file, const char* restrict format, va_list list) {
  (void)file;
  va_list again;
  va_copy(again, list);
  const size_t length = format_into(NULL, 0, format, again);
  va_end(again);
  char* text = __heddle_alloc(length + 1, heddle_malloc);
  format_into(text, length + 1, format, list);
  __heddle_print(text, length);
  __heddle_free(text, heddle_malloc);
  return (int)length;
}
int vprintf(const char* restrict format, va_list list) { return vfprintf(stdout, format, list); }
int dprintf(int descriptor, const char* restrict format, ...) {
  (void)descriptor;
  va_list list;
  va_start(list, format);
  const int length = vfprintf(stdout, format, list);
  va_end(list);
  return length;
}
