#include <stdio.h>
#include <stddef.h>
int main(void) {
	int a[10], *p = a + 2, *q = &a[7], **pp = &p;
	for (int i = 0; i < 10; i++) a[i] = i * i;
	ptrdiff_t d = q - p;
	printf("%td %d %d %d\n", d, **pp, *(p + d), p[-1]);
	*pp += 1;
	printf("%d %d %d\n", *p, p < q, p + 4 == q);
	char *c = (char *)a;
	printf("%td\n", (char *)q - c);
	void *v = q;
	printf("%d %d\n", *(int *)v, v != NULL);
	return 0;
}
