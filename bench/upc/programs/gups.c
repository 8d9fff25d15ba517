#include <mpi.h>
#include "gups.h"
enum { BATCH = 1024 };
static uint64_t *table;
static int me, threads, *counts, *starts, *gets, *got_at;

/* Updates are gathered in batches, which go to the owners of the items. Item i is the (i / threads)-th of rank i mod threads. */
static void updates(long count, uint64_t mask)
{
	uint64_t x = gups_start(me), made[BATCH], out[BATCH], *in = malloc((size_t)threads * BATCH * sizeof *in);
	for (long k = 0; k < count; k += BATCH) {
		int n = count - k < BATCH ? (int)(count - k) : BATCH, at[threads], total = 0;
		memset(counts, 0, (size_t)threads * sizeof *counts);
		for (int j = 0; j < n; j++) {
			x = made[j] = gups_next(x);
			counts[(x & mask) % (unsigned)threads]++;
		}
		for (int t = 0, sum = 0; t < threads; sum += counts[t++])
			at[t] = starts[t] = sum;
		for (int j = 0; j < n; j++)
			out[at[(made[j] & mask) % (unsigned)threads]++] = made[j];
		MPI_Alltoall(counts, 1, MPI_INT, gets, 1, MPI_INT, MPI_COMM_WORLD);
		for (int t = 0; t < threads; total += gets[t++])
			got_at[t] = total;
		MPI_Alltoallv(out, counts, starts, MPI_UINT64_T, in, gets, got_at, MPI_UINT64_T, MPI_COMM_WORLD);
		for (int j = 0; j < total; j++)
			table[(in[j] & mask) / (unsigned)threads] ^= in[j];
	}
	free(in);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &threads);
	char class = class_of(argc, argv);
	long n = 1L << gups_log(class), mine = n / threads + 1, count = n * GUPS_TIMES / threads, wrong = 0, all = 0;
	table = malloc((size_t)mine * sizeof *table);
	counts = malloc(4 * (size_t)threads * sizeof *counts);
	starts = counts + threads;
	gets = starts + threads;
	got_at = gets + threads;
	for (long i = 0; i < mine; i++)
		table[i] = (uint64_t)(i * threads + me);
	MPI_Barrier(MPI_COMM_WORLD);
	double start = seconds();
	updates(count, (uint64_t)n - 1);
	MPI_Barrier(MPI_COMM_WORLD);
	double time = seconds() - start;
	updates(count, (uint64_t)n - 1);
	for (long i = 0; i < mine; i++)
		wrong += table[i] != (uint64_t)(i * threads + me);
	MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	if (me == 0)
		report("gups", class, threads, time, all * 100 <= n);
	MPI_Finalize();
	return 0;
}
