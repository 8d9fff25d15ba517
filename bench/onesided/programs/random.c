// Random access: ranks change random words of a table that is spread over their windows (MPI_Accumulate with MPI_BXOR,
// in one epoch of MPI_Win_lock_all), and then once more in the same way, after which each must find its part of the
// table as it was. Arguments: MiB of a rank's table, how often.
#include "onesided.h"
#include <stdint.h>

enum { UPDATES = 1 << 13, FLUSH = 1 << 10 };

static void update(MPI_Win win, uint64_t seed, size_t words, int size)
{
    uint64_t values[FLUSH];
    for (int i = 0; i < UPDATES; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t at = (seed >> 16) % (words * (uint64_t)size);
        values[i % FLUSH] = seed;
        int to = (int)(at / words);
        MPI_Aint word = (MPI_Aint)(at % words);
        MPI_Accumulate(&values[i % FLUSH], 1, MPI_UINT64_T, to, word, 1, MPI_UINT64_T, MPI_BXOR, win); // race
        if (i % FLUSH == FLUSH - 1)
            MPI_Win_flush_all(win);
    }
}

static size_t changed(const uint64_t *table, size_t words)
{
    size_t n = 0;
    for (size_t i = 0; i < words; i++)
        n += table[i] != i; // race
    return n;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, times = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    size_t words = doubles(argc > 1 ? argv[1] : "1", 1), wrong = 0;
    uint64_t *table;
    MPI_Win win;
    MPI_Win_allocate((MPI_Aint)(words * sizeof *table), sizeof *table, MPI_INFO_NULL, MPI_COMM_WORLD, &table, &win);
    MPI_Win_lock_all(0, win);
    for (size_t i = 0; i < words; i++)
        table[i] = i;
    MPI_Win_sync(win);
    double begin = workload_begin();
    for (int t = 0; t < times; t++) {
        for (int twice = 0; twice < 2; twice++) {
            update(win, (uint64_t)(t * size + rank), words, size);
#ifdef LEFT_OUT
            if (twice)
                break;
#endif
            MPI_Barrier(MPI_COMM_WORLD);
        }
        MPI_Win_sync(win);
        wrong += changed(table, words);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    workload_end(begin);
    workload_check(right(wrong == 0), "the table has changed");
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
