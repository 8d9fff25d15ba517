#include <stdio.h>
#define S(n) v##n = v##n * 3 + n; if (v##n & 1) v##n ^= 0x55; t += v##n;
int main(void) {
	unsigned v0 = 1, v1 = 2, v2 = 3, v3 = 4, v4 = 5, v5 = 6, v6 = 7, v7 = 8, t = 0;
	for (int i = 0; i < 5; i++) { S(0) S(1) S(2) S(3) S(4) S(5) S(6) S(7) }
	printf("%u\n", t);
	return 0;
}
