#include <stdio.h>
int main(void) {
	int a[] = { 65, 66 }, i = 1;
	printf("%d %d %d\n", (char)a[i] + 1, (int)1.5 * 3, -(int)2.5);
	printf("%zu %zu\n", sizeof(char) + 1, sizeof (a)[0]);
	printf("%d %d\n", *(unsigned char *)&a[0], (int)sizeof(int) - 5);
	printf("%d\n", !(char)256 + ~(short)-1);
	return 0;
}
