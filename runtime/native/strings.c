// Strings, bytes, numbers from text.
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "heddle_runtime.h"

static _Thread_local int error_number;
int* __errno_location(void) { return &error_number; }

void* memcpy(void* restrict to, const void* restrict from, size_t bytes) {
  __builtin_memcpy(to, from, bytes);
  return to;
}
void* mempcpy(void* restrict to, const void* restrict from, size_t bytes) {
  __builtin_memcpy(to, from, bytes);
  return (char*)to + bytes;
}
void* memmove(void* to, const void* from, size_t bytes) {
  __builtin_memmove(to, from, bytes);
  return to;
}
void* memset(void* to, int byte, size_t bytes) {
  __builtin_memset(to, byte, bytes);
  return to;
}
void bzero(void* to, size_t bytes) { __builtin_memset(to, 0, bytes); }

int memcmp(const void* a, const void* b, size_t bytes) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < bytes; ++i) {
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  }
  return 0;
}
int bcmp(const void* a, const void* b, size_t bytes) { return memcmp(a, b, bytes); }

void* memchr(const void* in, int byte, size_t bytes) {
  const unsigned char* at = in;
  for (size_t i = 0; i < bytes; ++i) {
    if (at[i] == (unsigned char)byte) return (void*)(at + i);
  }
  return NULL;
}
void* memrchr(const void* in, int byte, size_t bytes) {
  const unsigned char* at = in;
  for (size_t i = bytes; i-- > 0;) {
    if (at[i] == (unsigned char)byte) return (void*)(at + i);
  }
  return NULL;
}

size_t strlen(const char* text) {
  size_t count = 0;
  while (text[count] != '\0') ++count;
  return count;
}
size_t strnlen(const char* text, size_t most) {
  size_t count = 0;
  while (count < most && text[count] != '\0') ++count;
  return count;
}
int strcmp(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return (int)(unsigned char)*a - (int)(unsigned char)*b;
}
int strncmp(const char* a, const char* b, size_t most) {
  for (; most > 0; --most, ++a, ++b) {
    if (*a != *b || *a == '\0') return (int)(unsigned char)*a - (int)(unsigned char)*b;
  }
  return 0;
}
static int lower(int character) { return character >= 'A' && character <= 'Z' ? character - 'A' + 'a' : character; }
int strcasecmp(const char* a, const char* b) {
  while (*a != '\0' && lower((unsigned char)*a) == lower((unsigned char)*b)) ++a, ++b;
  return lower((unsigned char)*a) - lower((unsigned char)*b);
}
int strncasecmp(const char* a, const char* b, size_t most) {
  for (; most > 0; --most, ++a, ++b) {
    const int x = lower((unsigned char)*a), y = lower((unsigned char)*b);
    if (x != y || x == 0) return x - y;
  }
  return 0;
}
int strcoll(const char* a, const char* b) { return strcmp(a, b); }
char* strcpy(char* restrict to, const char* restrict from) {
  size_t i = 0;
  for (; from[i] != '\0'; ++i) to[i] = from[i];
  to[i] = '\0';
  return to;
}
char* stpcpy(char* restrict to, const char* restrict from) {
  while (*from != '\0') *to++ = *from++;
  *to = '\0';
  return to;
}
char* strncpy(char* restrict to, const char* restrict from, size_t most) {
  size_t i = 0;
  for (; i < most && from[i] != '\0'; ++i) to[i] = from[i];
  for (; i < most; ++i) to[i] = '\0';
  return to;
}
char* strcat(char* restrict to, const char* restrict from) {
  strcpy(to + strlen(to), from);
  return to;
}
char* strncat(char* restrict to, const char* restrict from, size_t most) {
  char* at = to + strlen(to);
  for (; most > 0 && *from != '\0'; --most) *at++ = *from++;
  *at = '\0';
  return to;
}
char* strchr(const char* text, int character) {
  for (;; ++text) {
    if (*text == (char)character) return (char*)text;
    if (*text == '\0') return NULL;
  }
}
char* strchrnul(const char* text, int character) {
  while (*text != '\0' && *text != (char)character) ++text;
  return (char*)text;
}
char* strrchr(const char* text, int character) {
  const char* found = NULL;
  for (;; ++text) {
    if (*text == (char)character) found = text;
    if (*text == '\0') return (char*)found;
  }
}
char* strstr(const char* text, const char* part) {
  const size_t size = strlen(part);
  for (;; ++text) {
    if (strncmp(text, part, size) == 0) return (char*)text;
    if (*text == '\0') return NULL;
  }
}
size_t strspn(const char* text, const char* set) {
  size_t count = 0;
  while (text[count] != '\0' && strchr(set, text[count]) != NULL) ++count;
  return count;
}
size_t strcspn(const char* text, const char* set) {
  size_t count = 0;
  while (text[count] != '\0' && strchr(set, text[count]) == NULL) ++count;
  return count;
}
char* strpbrk(const char* text, const char* set) {
  text += strcspn(text, set);
  return *text == '\0' ? NULL : (char*)text;
}
char* strtok_r(char* restrict text, const char* restrict set, char** restrict rest) {
  if (text == NULL) text = *rest;
  text += strspn(text, set);
  if (*text == '\0') {
    *rest = text;
    return NULL;
  }
  char* end = text + strcspn(text, set);
  if (*end != '\0') *end++ = '\0';
  *rest = end;
  return text;
}
char* strtok(char* restrict text, const char* restrict set) {
  static char* rest;  // shared by all threads, as the standard has it
  return strtok_r(text, set, &rest);
}
char* strdup(const char* text) {
  const size_t bytes = strlen(text) + 1;
  char* copy = __heddle_alloc(bytes, heddle_malloc);
  __builtin_memcpy(copy, text, bytes);
  return copy;
}
char* strndup(const char* text, size_t most) {
  const size_t count = strnlen(text, most);
  char* copy = __heddle_alloc(count + 1, heddle_malloc);
  __builtin_memcpy(copy, text, count);
  copy[count] = '\0';
  return copy;
}
char* strerror(int error) {
  (void)error;
  return (char*)"error";
}

// Reads a number; *overflow tells that it does not fit 64 bits without sign.
static uint64_t read_number(const char* text, char** end, int base, int* negative, int* overflow) {
  const char* at = text;
  while (isspace((unsigned char)*at)) ++at;
  *negative = *at == '-';
  *overflow = 0;
  if (*at == '-' || *at == '+') ++at;
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && isxdigit((unsigned char)at[2])) {
    at += 2;
    base = 16;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  uint64_t value = 0;
  int any = 0;
  for (;; ++at) {
    int digit = 99;
    if (isdigit((unsigned char)*at)) digit = *at - '0';
    if (isalpha((unsigned char)*at)) digit = tolower((unsigned char)*at) - 'a' + 10;
    if (digit >= base) break;
    any = 1;
    if (__builtin_mul_overflow(value, (uint64_t)base, &value)) *overflow = 1;
    if (__builtin_add_overflow(value, (uint64_t)digit, &value)) *overflow = 1;
  }
  if (end != NULL) *end = (char*)(any ? at : text);
  return value;
}

long strtol(const char* restrict text, char** restrict end, int base) {
  int negative = 0, overflow = 0;
  const uint64_t value = read_number(text, end, base, &negative, &overflow);
  const uint64_t most = (uint64_t)LONG_MAX + (negative ? 1 : 0);
  if (overflow || value > most) {
    error_number = ERANGE;
    return negative ? LONG_MIN : LONG_MAX;
  }
  return (long)(negative ? 0 - value : value);
}
long long strtoll(const char* restrict text, char** restrict end, int base) { return strtol(text, end, base); }
unsigned long strtoul(const char* restrict text, char** restrict end, int base) {
  int negative = 0, overflow = 0;
  const uint64_t value = read_number(text, end, base, &negative, &overflow);
  if (overflow) {
    error_number = ERANGE;
    return ULONG_MAX;
  }
  return negative ? 0 - value : value;
}
unsigned long long strtoull(const char* restrict text, char** restrict end, int base) {
  return strtoul(text, end, base);
}
long __isoc23_strtol(const char* restrict text, char** restrict end, int base) { return strtol(text, end, base); }
int atoi(const char* text) { return (int)strtol(text, NULL, 10); }
long atol(const char* text) { return strtol(text, NULL, 10); }
long long atoll(const char* text) { return strtol(text, NULL, 10); }

int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
long long llabs(long long value) { return value < 0 ? -value : value; }
div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }

// A fixed sequence, shared by all threads as in glibc: linear congruential, upper bits.
static uint64_t random_state = 1;
void srand(unsigned seed) {
  __heddle_atomic_begin(heddle_other);
  random_state = seed;
  __heddle_atomic_end();
}
int rand(void) {
  __heddle_atomic_begin(heddle_other);
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  const int value = (int)(random_state >> 33);
  __heddle_atomic_end();
  return value;
}
int rand_r(unsigned* seed) {
  *seed = *seed * 1103515245u + 12345u;
  return (int)(*seed >> 1);
}
long random(void) { return rand(); }
void srandom(unsigned seed) { srand(seed); }

// Insertion sort: the order of equal elements stays, and few programs under check sort much.
void qsort(void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  char* at = base;
  char spare[256];
  if (size > sizeof spare) __heddle_error(heddle_unsupported, "calls qsort with elements of more than 256 bytes");
  for (size_t i = 1; i < count; ++i) {
    size_t to = i;
    __builtin_memcpy(spare, at + i * size, size);
    while (to > 0 && compare(at + (to - 1) * size, spare) > 0) {
      __builtin_memcpy(at + to * size, at + (to - 1) * size, size);
      --to;
    }
    __builtin_memcpy(at + to * size, spare, size);
  }
}
void* bsearch(const void* key, const void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  size_t first = 0;
  while (first < count) {
    const size_t middle = first + (count - first) / 2;
    const char* at = (const char*)base + middle * size;
    const int order = compare(key, at);
    if (order == 0) return (void*)at;
    if (order < 0) {
      count = middle;
    } else {
      first = middle + 1;
    }
  }
  return NULL;
}
char* getenv(const char* name) {
  (void)name;
  return NULL;
}
