// Integers are sorted by counting: ranks exchange how many they have for each other, put them into the windows of
// those whose range they are in (MPI_Put, between fences), and count. Arguments: MiB of a rank's numbers, how often.
#include "onesided.h"
#include <string.h>

enum { RANGE = 1 << 18 }; // of a rank

static int rank, size;

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 4;
}

static void count(const int *keys, int n, int *counts)
{
    memset(counts, 0, RANGE * sizeof *counts);
    for (int i = 0; i < n; i++)
        counts[(keys[i] - rank * RANGE) & (RANGE - 1)]++; // race
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int times = argc > 2 ? atoi(argv[2]) : 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = (int)(2 * doubles(argc > 1 ? argv[1] : "1", 1)), room = n + n / 4 + 1000;
    int *keys = workload_alloc((size_t)n, sizeof *keys), *counts = workload_alloc(RANGE, sizeof *counts), *bucket;
    int give[size], take[size], before[size], mine[size];
    MPI_Win win;
    MPI_Aint bytes = (MPI_Aint)((size_t)room * sizeof *bucket);
    MPI_Win_allocate(bytes, sizeof *bucket, MPI_INFO_NULL, MPI_COMM_WORLD, &bucket, &win);
    MPI_Win_fence(0, win);
    double begin = workload_begin();
    long kept = 0, sum_before = 0, sum_after = 0;
    for (int t = 0; t < times; t++) {
        // The keys by the ranks that they are for, as the first pass of a sort by digits leaves them.
        unsigned seed = (unsigned)(t * size + rank + 1);
        int filled[size];
        memset(give, 0, sizeof give);
        for (int i = 0; i < n; i++)
            give[next(&seed) % (unsigned)(size * RANGE) / RANGE]++;
        for (int r = 0, at = 0; r < size; r++) {
            filled[r] = at;
            at += give[r];
        }
        seed = (unsigned)(t * size + rank + 1);
        for (int i = 0; i < n; i++) {
            unsigned key = next(&seed) % (unsigned)(size * RANGE);
            keys[filled[key / RANGE]++] = (int)key;
            sum_before += key;
        }
        MPI_Alltoall(give, 1, MPI_INT, take, 1, MPI_INT, MPI_COMM_WORLD);
        int got = 0;
        for (int r = 0; r < size; r++) {
            before[r] = got;
            got += take[r];
        }
        workload_check(got <= room, "a range has too many numbers");
        MPI_Alltoall(before, 1, MPI_INT, mine, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Win_fence(0, win);
        for (int r = 0, at = 0; r < size; at += give[r++])
            MPI_Put(keys + at, give[r], MPI_INT, r, mine[r], give[r], MPI_INT, win); // race
#ifndef LEFT_OUT
        MPI_Win_fence(0, win);
#endif
        count(bucket, got, counts);
        MPI_Win_fence(0, win);
        for (int i = 0; i < RANGE; i++) {
            kept += counts[i];
            sum_after += (long)counts[i] * (rank * RANGE + i);
        }
    }
    workload_end(begin);
    long own[3] = {kept, sum_before, sum_after}, all[3];
    MPI_Allreduce(own, all, 3, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    workload_check(right(all[0] == (long)n * size * times && all[1] == all[2]), "numbers are lost");
    MPI_Win_free(&win);
    free(keys);
    free(counts);
    MPI_Finalize();
}
