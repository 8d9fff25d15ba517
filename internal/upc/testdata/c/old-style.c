#include <stdio.h>
static int add(a, b, c) int a; short b; double c; { return a + b + c; }
static int noargs() { return 7; }
int apply(f, x) int (*f)(); int x; { return f(x); }
static int neg(int x) { return -x; }
int main(argc, argv) int argc; char **argv; {
	printf("%d %d %d %d\n", add(1, 2, 3.5), noargs(), apply(neg, 4), argc > 0 && argv[0] != 0);
	return 0;
}
