#include <stdbool.h>
#include <stdio.h>
#define RING(T, N) struct { T items[N]; unsigned head, tail; }
#define FULL(r) ((r).head - (r).tail == sizeof (r).items / sizeof (r).items[0])
#define PUT(r, v) (FULL(r) ? false : ((r).items[(r).head++ % (sizeof (r).items / sizeof (r).items[0])] = (v), true))
#define GET(r, v) ((r).head == (r).tail ? false : (*(v) = (r).items[(r).tail++ % (sizeof (r).items / sizeof (r).items[0])], true))
int main(void) {
	RING(double, 4) r = { 0 };
	double v, s = 0;
	int put = 0;
	for (int i = 0; i < 6; i++) put += PUT(r, i * 1.5);
	while (GET(r, &v)) s = s * 2 + v;
	printf("%d %g %d\n", put, s, GET(r, &v));
	return 0;
}
