#include <stdio.h>
enum { A = 3 * 4 - 2, B = A << 2 | 1, C = A > 5 ? -1 : 1, D = (int)3.7 + sizeof(long), E = !A, F = -7 / 2 };
static int a[A], b[B % 7], c[sizeof(int[D])];
int main(void) {
	printf("%d %d %d %d %d %d\n", A, B, C, D, E, F);
	printf("%zu %zu %zu\n", sizeof a, sizeof b, sizeof c);
	switch (10) { case A: printf("ten\n"); break; case B: case D: default: printf("other\n"); }
	return 0;
}
