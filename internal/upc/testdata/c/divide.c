#include <stdio.h>
int main(void) {
	int v[] = { 7, -7 };
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++)
			printf("%d/%d=%d %d%%%d=%d\n", v[i], v[j] - 4, v[i] / (v[j] - 4), v[i], v[j] - 4, v[i] % (v[j] - 4));
	printf("%u %lu\n", -7 / 2u, -7 % 3ul);
	return 0;
}
