#include <stdio.h>
int main(void) {
	int n = 0;
again:;
	int v = n * 2;
	switch (v) { case 0:; int w = 7; printf("%d ", w); break; case 2: { int w = 8; printf("%d ", w); } }
	if (++n < 2) goto again;
	printf("%d\n", v);
	return 0;
}
