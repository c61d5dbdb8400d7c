// A program for pictures: report/interleaving_test.cpp. Line numbers count.
#include <pthread.h>
#include <stdio.h>

int x, y, buffer[4];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void note(int value) {
	buffer[value % 4] = value;
  printf("noted %d\n", value);
}

void* add(void* argument) {
  (void)argument;
  pthread_mutex_lock(&m);
  x = x + 1;
  note(x);
  pthread_mutex_unlock(&m);
  y = 1;
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, add, NULL);
  pthread_create(&second, NULL, add, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return x - 2;
}
