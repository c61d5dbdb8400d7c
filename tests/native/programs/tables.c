// A hash table that grows, sorts by pointers to functions, bits in sets, text that is cut into words.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  char* key;
  int count;
};
struct table {
  struct entry* entries;
  size_t room, used;
};

static uint32_t hash(const char* text) {
  uint32_t h = 2166136261u;
  for (; *text; ++text) h = (h ^ (unsigned char)*text) * 16777619u;
  return h;
}
static struct entry* find(struct table* t, const char* key) {
  size_t i = hash(key) & (t->room - 1);
  while (t->entries[i].key != NULL && strcmp(t->entries[i].key, key) != 0) i = (i + 1) & (t->room - 1);
  return &t->entries[i];
}
static void count(struct table* t, const char* key) {
  if (t->used * 2 >= t->room) {
    struct table larger = {calloc(t->room ? t->room * 2 : 4, sizeof(struct entry)), t->room ? t->room * 2 : 4, t->used};
    for (size_t i = 0; i < t->room; ++i) {
      if (t->entries[i].key != NULL) *find(&larger, t->entries[i].key) = t->entries[i];
    }
    free(t->entries);
    *t = larger;
  }
  struct entry* e = find(t, key);
  if (e->key == NULL) {
    e->key = strdup(key);
    ++t->used;
  }
  ++e->count;
}
static int by_count(const void* a, const void* b) {
  const struct entry *x = a, *y = b;
  return x->count != y->count ? y->count - x->count : x->key == NULL ? 1 : y->key == NULL ? -1 : strcmp(x->key, y->key);
}
static void insertion(void** list, int n, int (*less)(const void*, const void*)) {
  for (int i = 1; i < n; ++i) {
    void* x = list[i];
    int j = i;
    for (; j > 0 && less(x, list[j - 1]); --j) list[j] = list[j - 1];
    list[j] = x;
  }
}
static int shorter(const void* a, const void* b) { return strlen(a) < strlen(b); }

int main(void) {
  char text[] = "the cat and the dog and the bird saw a cat that saw the dog";
  void* words[20];
  int n = 0;
  struct table t = {0};
  for (char* word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
    words[n++] = word;
    count(&t, word);
  }
  insertion(words, n, shorter);
  printf("%d %s %s\n", n, (char*)words[0], (char*)words[n - 1]);
  qsort(t.entries, t.room, sizeof *t.entries, by_count);
  for (size_t i = 0; i < t.used; ++i) printf("%s %d\n", t.entries[i].key, t.entries[i].count);
  uint64_t set[2] = {0, 0};
  for (int i = 0; i < 128; i += 7) set[i / 64] |= UINT64_C(1) << i % 64;
  int members = 0;
  for (int i = 0; i < 128; ++i) members += (int)(set[i / 64] >> i % 64 & 1);
  const int out = members + (int)t.used;
  for (size_t i = 0; i < t.room; ++i) free(t.entries[i].key);
  free(t.entries);
  return out;
}
