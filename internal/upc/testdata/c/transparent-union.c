#include <stdio.h>
#include <string.h>
typedef union { int *i; float *f; void *v; } any __attribute__((transparent_union));
static int first(any a) { int r; memcpy(&r, a.v, sizeof r); return r; }
int main(void) {
	int i = 42;
	float f = 0;
	any a = { .i = &i };
	printf("%d %d %d\n", first(&i), first(&f), first(a));
	return 0;
}
