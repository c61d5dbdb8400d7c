// Functions that are one step by their names, choices of which all give the same.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int balance = 10;
static void __VERIFIER_atomic_move(int by) { balance += by; }
static void* work(void* by) {
  __VERIFIER_atomic_move((int)(long)by);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, (void*)5);
  pthread_create(&b, NULL, work, (void*)-3);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(balance == 12);
  printf("%d\n", balance);
  return 0;
}
