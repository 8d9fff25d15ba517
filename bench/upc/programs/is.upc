#include <upc.h>
#include "is.h"
shared [IS_BUCKETS] int counts[THREADS][IS_BUCKETS];
shared [] int *shared sorted[THREADS];
shared [] int tests[IS_TESTS];
shared int wrong[THREADS];

int main(int argc, char **argv)
{
	char class = class_of(argc, argv);
	struct is_class c = is_class(class);
	long first = part(c.keys, MYTHREAD, THREADS), end = part(c.keys, MYTHREAD + 1, THREADS), n = end - first;
	int *key = malloc((size_t)n * sizeof *key), *mine = malloc((size_t)c.keys * sizeof *mine);
	int *below = malloc((size_t)(c.most + 2) * sizeof *below), *all = malloc((size_t)THREADS * IS_BUCKETS * sizeof *all);
	int share[THREADS + 1];
	double start = 0;
	is_make(key, &c, first, end);
	sorted[MYTHREAD] = upc_alloc((size_t)n * sizeof(int));
	int *sort = (int *)sorted[MYTHREAD], *count = (int *)counts[MYTHREAD];
	for (int k = 0; k <= IS_TIMES; k++) {
		if (k == 1) {
			upc_barrier;
			start = seconds();
		}
		is_change(key, &c, first, end, k ? k : 1);
		for (int t = 0; t < IS_TESTS; t++)
			if (c.index[t] >= first && c.index[t] < end)
				tests[t] = key[c.index[t] - first];
		is_sort(key, sort, n, c.bits, count);
		upc_barrier;
		long total[IS_BUCKETS] = { 0 }, before = 0, got = 0;
		for (int t = 0; t < THREADS; t++)
			upc_memget(all + t * IS_BUCKETS, counts[t], IS_BUCKETS * sizeof(int));
		for (int t = 0; t < THREADS; t++)
			for (int b = 0; b < IS_BUCKETS; b++)
				total[b] += all[t * IS_BUCKETS + b];
		is_share(total, c.keys, THREADS, share);
		int b0 = share[MYTHREAD], b1 = share[MYTHREAD + 1];
		for (int b = 0; b < b0; b++)
			before += total[b];
		for (int t = 0; t < THREADS; t++) {
			long skip = 0, take = 0;
			for (int b = 0; b < b0; b++)
				skip += all[t * IS_BUCKETS + b];
			for (int b = b0; b < b1; b++)
				take += all[t * IS_BUCKETS + b];
			upc_memget(mine + got, sorted[t] + skip, (size_t)take * sizeof(int));
			got += take;
		}
		int low = b0 << c.bits, high = b1 << c.bits;
		is_rank(mine, got, low, high, below);
		for (int t = 0; t < IS_TESTS; t++) {
			int v = tests[t];
			if (k > 0 && v >= low && v < high && before + below[v - low] != is_expected(class, &c, t, k))
				wrong[MYTHREAD]++;
		}
		upc_barrier;
	}
	if (MYTHREAD == 0) {
		int bad = 0;
		for (int t = 0; t < THREADS; t++)
			bad += wrong[t];
		report("is", class, THREADS, seconds() - start, bad == 0);
	}
	return 0;
}
