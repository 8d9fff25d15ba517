#include <stdio.h>
typedef int binary(int, int);
static binary add, sub;
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int apply(binary f, int a, int b) { return f(a, b); }
static int (*choose(char c))(int, int) { return c == '+' ? add : sub; }
int main(void) {
	binary *t[] = { add, sub, choose('-') };
	int s = 0;
	for (unsigned i = 0; i < 3; i++) s = s * 10 + apply(t[i], 5, 3);
	printf("%d %d\n", s, choose('+')(1, 2));
	printf("%d %d\n", t[0] == add, t[1] != &sub);
	return 0;
}
