// Sorts integers by rank of destination, then within it: counts by MPI_Alltoall, keys by MPI_Alltoallv, as in IS kernels.
// Argument: rounds.
#include "workload.h"
#include <stdint.h>
#include <string.h>

enum { KEYS = 1 << 21, RANGE = 1 << 20 };

static uint32_t *keys, *sorted, *got;
static int *count, *place, *from, *gotcount, *histogram;

// Sorts total keys of [low, low+span) in got, by counting.
static void count_sort(int total, uint32_t low, int span)
{
    memset(histogram, 0, (size_t)span * sizeof *histogram);
    for (int i = 0; i < total; i++)
        histogram[got[i] - low]++;
    for (int k = 0, at = 0; k < span; k++)
        for (int n = histogram[k]; n > 0; n--)
            got[at++] = low + (uint32_t)k;
}

static int sort_round(int size, int span)
{
    memset(count, 0, (size_t)size * sizeof *count);
    for (int i = 0; i < KEYS; i++)
        count[keys[i] / (uint32_t)span]++;
    MPI_Alltoall(count, 1, MPI_INT, gotcount, 1, MPI_INT, MPI_COMM_WORLD);
    int total = 0;
    for (int p = 0, at = 0; p < size; p++) {
        place[p] = at;
        at += count[p];
        from[p] = total;
        total += gotcount[p];
    }
    for (int i = 0; i < KEYS; i++)
        sorted[place[keys[i] / (uint32_t)span]++] = keys[i];
    for (int p = 0; p < size; p++)
        place[p] -= count[p];
    workload_check(total <= 2 * KEYS, "more keys than expected");
    MPI_Alltoallv(sorted, count, place, MPI_UINT32_T, got, gotcount, from, MPI_UINT32_T, MPI_COMM_WORLD);
    return total;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 1, total = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int span = (RANGE + size - 1) / size;
    keys = workload_alloc(KEYS, sizeof *keys);
    sorted = workload_alloc(KEYS, sizeof *sorted);
    got = workload_alloc(2 * KEYS, sizeof *got);
    histogram = workload_alloc((size_t)span, sizeof *histogram);
    int *room = workload_alloc(4 * (size_t)size, sizeof *room);
    count = room, place = room + size, from = room + 2 * size, gotcount = room + 3 * size;
    uint32_t state = 12345u + (uint32_t)rank;
    double begin = workload_begin();
    for (int k = 0; k < rounds; k++) {
        for (int i = 0; i < KEYS; i++) {
            state = state * 1664525u + 1013904223u;
            keys[i] = (state >> 8) % RANGE;
        }
        total = sort_round(size, span);
        count_sort(total, (uint32_t)(rank * span), span);
    }
    workload_end(begin);
    long long mine = total, all = 0;
    for (int i = 1; i < total; i++)
        workload_check(got[i - 1] <= got[i], "keys out of order");
    MPI_Allreduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    workload_check(rounds == 0 || all == (long long)KEYS * size, "keys were lost");
    MPI_Finalize();
}
