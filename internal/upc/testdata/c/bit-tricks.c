#include <stdint.h>
#include <stdio.h>
static uint32_t reverse(uint32_t x) { x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1; x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2; x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4; return __builtin_bswap32(x); }
static int log2i(uint64_t x) { int n = -1; while (x) x >>= 1, n++; return n; }
static uint64_t isqrt(uint64_t n) { uint64_t r = 0, b = 1ULL << 62; while (b > n) b >>= 2; for (; b; b >>= 2) if (n >= r + b) n -= r + b, r = (r >> 1) + b; else r >>= 1; return r; }
int main(void) {
	printf("%08x %d %d %lu\n", reverse(0x12345678), log2i(1), log2i(1000), (unsigned long)isqrt(1000000));
	printf("%d %d\n", (int)(-5 & 3), ~0 ^ 5);
	return 0;
}
