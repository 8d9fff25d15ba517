/* Accesses through pointers-to-shared, and what is none. */
struct inner { char name[4]; int number; };
struct node { int value : 3; struct inner inner; shared struct node *next; int many[4]; int value2; };
shared int a[THREADS], *p;
shared struct node nodes[THREADS], *first;
strict shared [4] short *flags;
shared [4] int (*rows)[4];

int taken(int i)
{
	shared int *q = &*p, *r = &p[i];
	shared [] int *s = &first[2].value2;
	shared [] int *t = first->many;
	*p = p[i] + *(p + 1) + a[i] + nodes[i].inner.number;
	first->inner.number++;
	first->value = (*first).inner.number + first->next->inner.name[0] + first[i].many[1] + rows[i][1] + (*rows)[2];
	*first = first[1];
	while (!*flags++)
		;
	return sizeof(*p) + (q == r) + (s == 0) + (t == 0) + *a;
}
