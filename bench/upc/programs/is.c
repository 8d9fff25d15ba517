#include <mpi.h>
#include "is.h"

int main(int argc, char **argv)
{
	int me, threads;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &threads);
	char class = class_of(argc, argv);
	struct is_class c = is_class(class);
	long first = part(c.keys, me, threads), end = part(c.keys, me + 1, threads), n = end - first;
	int *key = malloc((size_t)n * sizeof *key), *mine = malloc((size_t)c.keys * sizeof *mine);
	int *below = malloc((size_t)(c.most + 2) * sizeof *below), *sort = malloc((size_t)n * sizeof *sort);
	int share[threads + 1], give[threads], give_at[threads], take[threads], take_at[threads], count[IS_BUCKETS];
	int bad = 0, wrong = 0;
	double start = 0;
	is_make(key, &c, first, end);
	for (int k = 0; k <= IS_TIMES; k++) {
		if (k == 1) {
			MPI_Barrier(MPI_COMM_WORLD);
			start = seconds();
		}
		is_change(key, &c, first, end, k ? k : 1);
		long total[IS_BUCKETS + IS_TESTS], sums[IS_BUCKETS + IS_TESTS] = { 0 }, before = 0, got = 0;
		for (int t = 0; t < IS_TESTS; t++)
			if (c.index[t] >= first && c.index[t] < end)
				sums[IS_BUCKETS + t] = key[c.index[t] - first];
		is_sort(key, sort, n, c.bits, count);
		for (int b = 0; b < IS_BUCKETS; b++)
			sums[b] = count[b];
		MPI_Allreduce(sums, total, IS_BUCKETS + IS_TESTS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
		is_share(total, c.keys, threads, share);
		int b0 = share[me], b1 = share[me + 1], at = 0;
		for (int b = 0; b < b0; b++)
			before += total[b];
		for (int t = 0; t < threads; t++) {
			give_at[t] = at;
			for (int b = share[t]; b < share[t + 1]; b++)
				at += count[b];
			give[t] = at - give_at[t];
		}
		MPI_Alltoall(give, 1, MPI_INT, take, 1, MPI_INT, MPI_COMM_WORLD);
		for (int t = 0; t < threads; t++) {
			take_at[t] = (int)got;
			got += take[t];
		}
		MPI_Alltoallv(sort, give, give_at, MPI_INT, mine, take, take_at, MPI_INT, MPI_COMM_WORLD);
		int low = b0 << c.bits, high = b1 << c.bits;
		is_rank(mine, got, low, high, below);
		for (int t = 0; t < IS_TESTS; t++) {
			int v = (int)total[IS_BUCKETS + t];
			if (k > 0 && v >= low && v < high && before + below[v - low] != is_expected(class, &c, t, k))
				wrong++;
		}
		MPI_Barrier(MPI_COMM_WORLD);
	}
	double time = seconds() - start;
	MPI_Reduce(&wrong, &bad, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (me == 0)
		report("is", class, threads, time, bad == 0);
	MPI_Finalize();
	return 0;
}
