#include <stdio.h>
#define FIND(a, n, x) ({ __label__ done; int i_, r_ = -1; for (i_ = 0; i_ < (n); i_++) if ((a)[i_] == (x)) { r_ = i_; goto done; } done: r_; })
int main(void) {
	int a[] = { 4, 8, 15, 16, 23, 42 };
	printf("%d %d %d\n", FIND(a, 6, 15), FIND(a, 6, 42), FIND(a, 6, 5));
	return 0;
}
