#include <stdio.h>
struct op { const char *name; int (*f)(int, int); };
static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
static const struct op ops[] = { { "add", add }, { "mul", &mul }, { 0, 0 } };
int main(void) {
	for (const struct op *o = ops; o->name; o++)
		printf("%s %d %d\n", o->name, o->f(3, 4), (*o->f)(5, 6));
	printf("%d\n", (**ops[1].f)(2, 2));
	return 0;
}
