#include <stdint.h>
#include <stdio.h>
#define ROT(x, n) ((x) >> (n) | (x) << (32 - (n)))
static uint32_t mix(uint32_t a, uint32_t b, uint32_t c) { return (ROT(a, 2) ^ ROT(b, 13) ^ ROT(c, 22)) + ((a & b) ^ (a & c) ^ (b & c)); }
int main(void) {
	uint32_t s[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 1, 2, 3, 4 };
	for (int r = 0; r < 64; r++) { uint32_t t = mix(s[0], s[1], s[2]) + s[7] + (uint32_t)r * 0x9e3779b9u; for (int i = 7; i > 0; i--) s[i] = s[i - 1]; s[0] = t; s[4] += t; }
	for (int i = 0; i < 8; i++) printf("%08x", s[i]);
	printf("\n");
	return 0;
}
