#include <stdio.h>
int main(void) {
	int n = 0;
	{ a: n++; if (n == 1) goto b; if (n == 3) goto done; }
	n += 10;
b:
	if (n == 1) { n++; goto a; }
	for (;;) { switch (n) { case 3: goto done; default: goto done; } }
done: printf("%d\n", n);
	{ last: ; }
	if (n++ < 5) goto last;
	return n;
}
