#include <stdio.h>
int main(void) {
	int k = 0;
	goto in;
	{
		int x;
	in:
		x = k + 5;
		printf("%d ", x);
	}
	if (k++ < 2) goto in;
	printf("%d\n", k);
	return 0;
}
