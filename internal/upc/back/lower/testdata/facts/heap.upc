/* Memory from the library through typed pointers. */
#include "check.h"
#define B 5
void test_heap(void)
{
	shared [B] int *p = upc_all_alloc(3 * THREADS, B * sizeof(int));
	shared int *c = (shared int *)upc_all_alloc(THREADS, 4 * sizeof(int));
	shared [] double *d;
	static shared [] double *shared exchange[THREADS];
	int i, local[B];
	for (i = MYTHREAD; i < 3 * B * THREADS; i += THREADS)
		p[i] = i;
	d = upc_alloc(4 * sizeof *d);
	for (i = 0; i < 4; i++)
		d[i] = MYTHREAD + i / 8.0;
	exchange[MYTHREAD] = d;
	upc_forall (i = 0; i < 4 * THREADS; i++; i) c[i] = -i;
	upc_barrier;
	for (i = 0; i < 3 * B * THREADS; i++)
		CHECK(p[i] == i && upc_threadof(&p[i]) == i / B % THREADS);
	for (i = 0; i < 4 * THREADS; i++)
		CHECK(c[i] == -i);
	for (i = 0; i < THREADS; i++)
		CHECK(exchange[i][3] == i + 0.375 && upc_threadof(exchange[i]) == i);
	upc_memget(local, &p[B * ((MYTHREAD + 1) % THREADS)], sizeof local);
	for (i = 0; i < B; i++)
		CHECK(local[i] == B * ((MYTHREAD + 1) % THREADS) + i);
	upc_barrier;
	upc_free(d);
	if (MYTHREAD == 0) {
		upc_free(p);
		upc_free(c);
	}
	upc_barrier;
}
