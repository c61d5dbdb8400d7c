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
