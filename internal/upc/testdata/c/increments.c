#include <stdio.h>
int main(void) {
	int a[] = { 1, 2, 3, 4 }, *p = a, i = 0;
	printf("%d ", *p++);
	printf("%d ", *++p);
	printf("%d ", (*p)++);
	printf("%d ", ++*p);
	printf("%d ", *p--);
	printf("%d ", a[i++]);
	printf("%d %d\n", a[i], i);
	unsigned char c = 255;
	c++;
	_Bool b = 0;
	b++; b++;
	double d = 1.5;
	d--;
	printf("%d %d %g %d\n", c, b, d, (int)(p - a));
	return 0;
}
