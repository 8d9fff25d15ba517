#include <stdio.h>
static int counter(void) { static int n = 10; return n++; }
static int *keep(void) { static int a[3] = { 1 }; a[1]++; return a; }
int late;
int tentative; int tentative; int tentative = 5;
extern int late;
int main(void) {
	register int r = 3;
	auto int a = 4;
	counter();
	keep();
	printf("%d %d %d %d %d\n", counter(), keep()[1], r + a, late, tentative);
	return 0;
}
