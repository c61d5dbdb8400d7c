// Tagged unions, lists in place, tables of functions, strings of a small language: an interpreter.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum tag { NUMBER, SYMBOL, PAIR };
struct value {
  enum tag tag;
  union {
    long number;
    char symbol[8];
    struct {
      struct value *head, *tail;
    };
  };
};

static struct value* make(enum tag tag) {
  struct value* v = malloc(sizeof *v);
  v->tag = tag;
  return v;
}
static struct value* cons(struct value* head, struct value* tail) {
  struct value* v = make(PAIR);
  v->head = head, v->tail = tail;
  return v;
}
static const char* at;
static struct value* parse(void) {
  while (isspace((unsigned char)*at)) ++at;
  if (*at == '(') {
    struct value *first = NULL, **end = &first;
    for (++at;;) {
      while (isspace((unsigned char)*at)) ++at;
      if (*at == ')') return ++at, first;
      *end = cons(parse(), NULL);
      end = &(*end)->tail;
    }
  }
  struct value* v = NULL;
  if (isdigit((unsigned char)*at) || (*at == '-' && isdigit((unsigned char)at[1]))) {
    char* end = NULL;
    v = make(NUMBER);
    v->number = strtol(at, &end, 10);
    at = end;
  } else {
    v = make(SYMBOL);
    size_t n = strcspn(at, " ()");
    memcpy(v->symbol, at, n);
    v->symbol[n] = '\0';
    at += n;
  }
  return v;
}
static long add(long a, long b) { return a + b; }
static long sub(long a, long b) { return a - b; }
static long mul(long a, long b) { return a * b; }
static const struct {
  const char* name;
  long (*function)(long, long);
} table[] = {{"+", add}, {"-", sub}, {"*", mul}};

static long evaluate(const struct value* v) {
  switch (v->tag) {
    case NUMBER:
      return v->number;
    case SYMBOL:
      return (long)strlen(v->symbol);
    case PAIR:
      break;
  }
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    if (strcmp(table[i].name, v->head->symbol) != 0) continue;
    const struct value* rest = v->tail;
    long out = evaluate(rest->head);
    for (rest = rest->tail; rest != NULL; rest = rest->tail) out = table[i].function(out, evaluate(rest->head));
    return out;
  }
  return -1;
}
static void print(const struct value* v) {
  if (v->tag == NUMBER) {
    printf("%ld", v->number);
  } else if (v->tag == SYMBOL) {
    printf("%s", v->symbol);
  } else {
    for (const char* before = "("; v != NULL; v = v->tail, before = " ") {
      fputs(before, stdout);
      print(v->head);
    }
    putchar(')');
  }
}
static void drop(struct value* v) {
  if (v != NULL && v->tag == PAIR) {
    drop(v->head);
    drop(v->tail);
  }
  free(v);
}

int main(void) {
  long total = 0;
  static const char* const programs[] = {"(+ 1 2 (* 3 4))", "(- 10 (+ 1 2) -5)", "(* (+ abc 1) (- 9 2))"};
  for (int i = 0; i < 3; ++i) {
    at = programs[i];
    struct value* v = parse();
    print(v);
    const long result = evaluate(v);
    printf(" = %ld\n", result);
    total += result;
    drop(v);
  }
  return (int)total;
}
