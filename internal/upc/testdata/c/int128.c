#include <stdio.h>
static void show(unsigned __int128 x) { printf("%016lx%016lx\n", (unsigned long)(x >> 64), (unsigned long)x); }
int main(void) {
	unsigned __int128 a = 0xffffffffffffffff;
	__int128 b = -5;
	__uint128_t c = (__uint128_t)1 << 100;
	a *= a;
	show(a); show(b); show(c + a);
	printf("%d %ld %lu %zu\n", b < 0, (long)(b / 2), (unsigned long)(a % 1000000007), sizeof a);
	b = (__int128)((unsigned __int128)b << 70); b >>= 68;
	show(b);
	return 0;
}
