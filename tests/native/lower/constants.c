// Initial values, addresses, switch, by-value structs, for the golden dump.
struct entry { const char* name; int (*function)(int); long number; };

static int twice(int n) { return n * 2; }
static int negative(int n) { return -n; }
static int numbers[4] = {1, 2, 3};
int* const third = &numbers[2];
const struct entry table[] = {{"twice", twice, 1}, {"negative", negative, -1}};
_Thread_local int own = 7;

struct big { long words[4]; };
long first(struct big b) { return b.words[0] + own; }

int call(int which, int n) {
  switch (which) {
    case 0: return table[0].function(n);
    case 7: return table[1].function(n) + *third;
    default: return numbers[n & 3];
  }
}
