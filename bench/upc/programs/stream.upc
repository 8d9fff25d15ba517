#include <upc.h>
#include "stream.h"
shared [STREAM_BLOCK] double *a, *b, *c;

int main(int argc, char **argv)
{
	char class = class_of(argc, argv);
	long i, n = (long)STREAM_BLOCKS(class) * STREAM_BLOCK * THREADS;
	a = upc_all_alloc(n / STREAM_BLOCK, STREAM_BLOCK * sizeof *a);
	b = upc_all_alloc(n / STREAM_BLOCK, STREAM_BLOCK * sizeof *b);
	c = upc_all_alloc(n / STREAM_BLOCK, STREAM_BLOCK * sizeof *c);
	upc_forall (i = 0; i < n; i++; &a[i]) {
		a[i] = 1;
		b[i] = 2;
		c[i] = 0;
	}
	upc_barrier;
	double start = seconds();
	for (int k = 0; k < STREAM_TIMES; k++) {
		upc_forall (i = 0; i < n; i++; &a[i])
			c[i] = a[i];
		upc_forall (i = 0; i < n; i++; &a[i])
			b[i] = 0.25 * c[i];
		upc_forall (i = 0; i < n; i++; &a[i])
			c[i] = a[i] + b[i];
		upc_forall (i = 0; i < n; i++; &a[i])
			a[i] = b[i] + 0.5 * c[i];
	}
	upc_barrier;
	if (MYTHREAD == 0)
		report("stream", class, THREADS, seconds() - start, stream_verify(a[n - 1], b[n / 2], c[0]));
	return 0;
}
