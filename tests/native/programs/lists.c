// Linked lists and trees on the heap.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct node { int key; struct node *left, *right; };

static struct node* insert(struct node* tree, int key) {
  if (tree == NULL) {
    struct node* node = malloc(sizeof *node);
    *node = (struct node){key, NULL, NULL};
    return node;
  }
  if (key < tree->key) tree->left = insert(tree->left, key);
  if (key > tree->key) tree->right = insert(tree->right, key);
  return tree;
}
static int print(const struct node* tree) {
  if (tree == NULL) return 0;
  const int left = print(tree->left);
  printf("%d ", tree->key);
  return left + 1 + print(tree->right);
}
static void destroy(struct node* tree) {
  if (tree == NULL) return;
  destroy(tree->left);
  destroy(tree->right);
  free(tree);
}

int main(void) {
  struct node* tree = NULL;
  unsigned x = 12345;
  for (int i = 0; i < 40; ++i) {
    x = x * 1103515245u + 12345u;
    tree = insert(tree, (int)(x >> 16) % 100);
  }
  const int count = print(tree);
  printf("\n%d\n", count);
  assert(count > 0);
  destroy(tree);
  return count;
}
