#include <upc.h>
#include "gups.h"
shared uint64_t *table;

static void updates(long count, uint64_t mask)
{
	uint64_t x = gups_start(MYTHREAD);
	for (long k = 0; k < count; k++) {
		x = gups_next(x);
		table[x & mask] ^= x;
	}
}

int main(int argc, char **argv)
{
	char class = class_of(argc, argv);
	long i, n = 1L << gups_log(class), count = n * GUPS_TIMES / THREADS, wrong = 0;
	table = upc_all_alloc(n, sizeof *table);
	upc_forall (i = 0; i < n; i++; &table[i])
		table[i] = i;
	upc_barrier;
	double start = seconds();
	updates(count, n - 1);
	upc_barrier;
	double time = seconds() - start;
	updates(count, n - 1);
	upc_barrier;
	if (MYTHREAD == 0) {
		for (i = 0; i < n; i++)
			wrong += table[i] != (uint64_t)i;
		report("gups", class, THREADS, time, wrong * 100 <= n);
	}
	return 0;
}
