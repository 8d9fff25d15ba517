#include <stdio.h>
int main(void) {
	int n = 0;
again:
	if (n++ < 3) { printf("%d ", n); goto again; }
	goto into;
	for (;;) { n = 100; into: n++; if (n > 6) break; }
	{ goto end; end: ; }
	printf("%d\n", n);
	return 0;
}
