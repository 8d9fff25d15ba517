#include <stdio.h>
int main(void) {
	int s = 0;
	for (int i = 0, *p = &i, a[2] = { 3, 4 }; *p < 2; (*p)++) s += a[i];
	for (struct { int i; double d; } it = { 0, 0.5 }; it.i < 3; it.i++) it.d *= 2, s += it.d;
	for (register int k = 1; k < 3; k++) s += k;
	for (const char *c = "abc"; *c; c++) s += *c;
	printf("%d\n", s);
	return 0;
}
