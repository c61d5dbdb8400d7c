// Functions of string.h, ctype.h, stdlib.h.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
  char text[64] = "hello";
  strcat(text, ", ");
  strncat(text, "world and more", 5);
  printf("%s %zu\n", text, strlen(text));
  printf("%d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), sign(strncmp("abc", "abd", 2)));
  printf("%s %s %s\n", strchr(text, 'w'), strrchr(text, 'l'), strstr(text, "lo"));
  printf("%d %p\n", memchr(text, 'z', 5) == NULL, (void*)strpbrk("abc", "xyz"));
  char copy[16];
  strncpy(copy, "ab", sizeof copy);
  printf("%s %d %d\n", copy, copy[10], memcmp(copy, "ab\0", 3));
  memmove(text + 2, text, 5);
  printf("%s\n", text);
  char line[] = "one two,three";
  for (char* word = strtok(line, " ,"); word != NULL; word = strtok(NULL, " ,")) printf("[%s]", word);
  printf("\n%ld %ld %lu %d\n", strtol("  -42x", NULL, 10), strtol("0x1f", NULL, 0), strtoul("777", NULL, 8),
         atoi("12ab"));
  errno = 0;
  printf("%ld %d\n", strtol("99999999999999999999", NULL, 10), errno == ERANGE);
  for (const char* c = "aZ3 ?"; *c != '\0'; ++c) {
    printf("%d%d%d%d%c ", isalpha(*c) != 0, isdigit(*c) != 0, isspace(*c) != 0, ispunct(*c) != 0, toupper(*c));
  }
  int numbers[] = {5, 3, 9, 1, 7};
  qsort(numbers, 5, sizeof numbers[0], by_value);
  for (int i = 0; i < 5; ++i) printf("%d ", numbers[i]);
  const int key = 7;
  const int* found = bsearch(&key, numbers, 5, sizeof key, by_value);
  printf("%ld\n", (long)(found - numbers));
  char* duplicate = strdup("duplicate");
  duplicate = realloc(duplicate, 32);
  strcat(duplicate, "d");
  puts(duplicate);
  free(duplicate);
  int* zero = calloc(4, sizeof(int));
  printf("%d\n", zero[3]);
  free(zero);
  char out[8];
  const int length = snprintf(out, sizeof out, "%s-%d", "abcdef", 12345);
  printf("%s %d|%5d|%-5d|%05d|%+d|%x|%c|%%|%8.3f|%s\n", out, length, 42, 42, 42, 42, 255, 'q', 3.14159, "end");
  fputs("fputs ", stdout);
  putchar('!');
  fprintf(stdout, "%s\n", "fprintf");
  return 3;
}
