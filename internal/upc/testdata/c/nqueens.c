#include <stdio.h>
static int solve(unsigned n, unsigned row, unsigned l, unsigned r) {
	int found = 0;
	if (row == (1u << n) - 1) return 1;
	for (unsigned free = ~(row | l | r) & ((1u << n) - 1), bit; free; free ^= bit) { bit = free & -free; found += solve(n, row | bit, (l | bit) << 1, (r | bit) >> 1); }
	return found;
}
int main(void) { for (unsigned n = 1; n < 9; n++) printf("%d ", solve(n, 0, 0, 0)); printf("\n"); return 0; }
