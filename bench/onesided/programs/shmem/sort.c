// Integers are sorted by counting: a PE reserves room for those of another one's range there
// (shmem_int_atomic_fetch_add), puts them, and counts its own. Arguments: MiB of a PE's numbers, how often.
#include "pes.h"
#include <string.h>

enum { RANGE = 1 << 18 }; // of a PE

static int pe, pes, filled;
static long own[3], all[3], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 4;
}

static void count(const int *keys, int n, int *counts)
{
    memset(counts, 0, RANGE * sizeof *counts);
    for (int i = 0; i < n; i++)
        counts[(keys[i] - pe * RANGE) & (RANGE - 1)]++; // race
}

// The numbers of a round, by the PEs that they are for, and how many these are; their sum.
static long deal(int *keys, int n, int *give, unsigned first)
{
    int at[pes];
    long sum = 0;
    unsigned seed = first;
    memset(give, 0, (size_t)pes * sizeof *give);
    for (int i = 0; i < n; i++)
        give[next(&seed) % (unsigned)(pes * RANGE) / RANGE]++;
    for (int r = 0, k = 0; r < pes; k += give[r++])
        at[r] = k;
    seed = first;
    for (int i = 0; i < n; i++) {
        unsigned key = next(&seed) % (unsigned)(pes * RANGE);
        keys[at[key / RANGE]++] = (int)key;
        sum += key;
    }
    return sum;
}

int main(int argc, char **argv)
{
    shmem_init();
    int times = argc > 2 ? atoi(argv[2]) : 2;
    pe = shmem_my_pe();
    pes = shmem_n_pes();
    int n = (int)(2 * doubles(argc > 1 ? argv[1] : "1", 1)), room = n + n / 4 + 1000, give[pes];
    int *keys = pes_alloc((size_t)n, sizeof *keys), *counts = pes_alloc(RANGE, sizeof *counts);
    int *bucket = shmem_calloc((size_t)room, sizeof *bucket);
    double begin = pes_begin();
    for (int t = 0; t < times; t++) {
        own[1] += deal(keys, n, give, (unsigned)(t * pes + pe + 1));
        for (int r = 0, at = 0; r < pes; at += give[r++]) {
            int place = shmem_int_atomic_fetch_add(&filled, give[r], r);
            pes_check(place + give[r] <= room, "a range has too many numbers");
            shmem_int_put(bucket + place, keys + at, (size_t)give[r], r); // race
        }
#ifndef LEFT_OUT
        shmem_barrier_all();
#endif
        int got = shmem_int_atomic_fetch(&filled, pe);
        count(bucket, got, counts);
        for (int i = 0; i < RANGE; i++) {
            own[0] += counts[i];
            own[2] += (long)counts[i] * (pe * RANGE + i);
        }
        shmem_barrier_all();
        shmem_int_atomic_set(&filled, 0, pe);
        shmem_barrier_all();
    }
    pes_end(begin);
    shmem_long_sum_to_all(all, own, 3, 0, 0, pes, work, pes_sync);
    pes_check(right(all[0] == (long)n * pes * times && all[1] == all[2]), "numbers are lost");
    shmem_free(bucket);
    free(keys);
    free(counts);
    shmem_finalize();
}
