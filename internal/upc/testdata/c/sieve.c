#include <stdio.h>
#include <string.h>
int main(void) {
	enum { N = 1000 };
	char composite[N] = { [0] = 1, [1] = 1 };
	int count = 0, last = 0;
	for (int i = 2; i < N; i++) { if (composite[i]) continue; count++; last = i; for (int j = i * i; j < N; j += i) composite[j] = 1; }
	printf("%d %d %zu\n", count, last, sizeof composite);
	return 0;
}
