#include <stdint.h>
#include <stdio.h>
static uint64_t state[2] = { 1, 2 };
static uint64_t rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }
static uint64_t next(void) { uint64_t a = state[0], b = state[1], r = rotl(a * 5, 7) * 9; b ^= a; state[0] = rotl(a, 24) ^ b ^ b << 16; state[1] = rotl(b, 37); return r; }
int main(void) {
	int bins[4] = { 0 };
	uint64_t x = 0;
	for (int i = 0; i < 1000; i++) { x ^= next(); bins[x >> 62]++; }
	printf("%016lx %d %d %d %d\n", (unsigned long)x, bins[0], bins[1], bins[2], bins[3]);
	return 0;
}
