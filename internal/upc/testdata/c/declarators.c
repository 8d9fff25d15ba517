#include <stdio.h>
static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*pick(int n))(void) { return n ? two : one; }
static int (*(*table[2])(int))(void) = { pick, pick };
static int arr[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
static int (*rows(void))[3] { return arr; }
typedef int (*fn)(void);
int main(void) {
	fn f[] = { one, two }, *p = f + 1;
	printf("%d %d %d %d\n", pick(0)(), table[1](1)(), rows()[1][2], (*p)());
	char *(*(*x)[2])(const char *) = 0;
	printf("%zu %d\n", sizeof *x, x == 0);
	return 0;
}
