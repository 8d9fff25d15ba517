#include <stdio.h>
static int next(void) { for (;;) { static int a = 0, b = 1; int t = a; a = b; b += t; return t; } }
static int *cell(int i) { static int grid[3] = { [1] = 5 }; return grid + i; }
int main(void) {
	for (int i = 0; i < 10; i++) printf("%d ", next());
	++*cell(1);
	printf("%d\n", *cell(1));
	return 0;
}
