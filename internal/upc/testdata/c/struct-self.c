#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *left, *right; };
static struct node *add(struct node *n, int v) {
	if (!n) { n = calloc(1, sizeof *n); n->v = v; return n; }
	struct node **at = v < n->v ? &n->left : &n->right;
	*at = add(*at, v);
	return n;
}
static int walk(struct node *n, int depth) {
	if (!n) return depth;
	int l = walk(n->left, depth + 1);
	printf("%d ", n->v);
	int r = walk(n->right, depth + 1);
	return l > r ? l : r;
}
int main(void) {
	struct node *root = 0;
	for (int i = 0; i < 20; i++) root = add(root, i * 37 % 23);
	printf("depth %d\n", walk(root, 0));
	return 0;
}
