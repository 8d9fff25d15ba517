#include <stdio.h>
int main(void) {
	int a = 5, b = 3, c = 2, *p = &a;
	printf("%d %d %d %d\n", a + b * c, a - b - c, a << 1 + c, a & b == 3);
	printf("%d %d %d %d\n", a | b ^ c & 1, !a == 0, -a % b, *p * *p);
	printf("%d %d %d\n", a < b < c, a == b != c, a > b ? b > c ? 1 : 2 : 3);
	printf("%d ", a++ + ++b);
	printf("%d\n", ~a & 0xf | 1);
	int x = 1, y = x = b, z = (x, y);
	printf("%d %d %d\n", x, y, z);
	return 0;
}
