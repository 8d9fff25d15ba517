#include <stdio.h>
int main(void) {
	int i = 0, n = 0;
	while (1) { if (i++ > 10) break; if (i % 2) continue; n += i; }
	do n++; while (n % 5);
	for (;;) { if (--i < 3) goto out; }
out:
	for (i = 0; i < 3; i++) for (int j = 0; j < 3; j++) { if (j == 2) break; if (i == 1) continue; printf("%d%d ", i, j); }
	printf("%d %d\n", i, n);
	do { if (i) continue; n = 99; } while (i-- > 0);
	printf("%d\n", n);
	return 0;
}
