/* What is done with pointers-to-shared. */
typedef unsigned long size_t;
struct node { int value; shared struct node *next; };
shared int a[THREADS];
shared [4] int b[4][4 * THREADS];
shared struct node nodes[THREADS], *first;
shared void *any(shared void *);

int main(void)
{
	int *p = (int *)&a[0], *q = (int *)(a + 1), *r = (void *)b[1];
	struct node *n = (struct node *)first->next;
	shared [] char *s = (shared [] char *)a;
	shared [4] int *row = (shared [4] int *)any(a), *end = b[3];
	while (row + 1 < &b[2][0] && (shared [1] int *)any(a) - &a[0] > 0)
		row += end - (row - (end >= row));
	return *(const int *)any(0) + *(char *)(s + 1) + sizeof((int *)a) + (p == q) + (r == 0) + n->value + (int)(size_t)(void *)p;
}
