// A matrix is transposed: each PE has some rows, and puts a block of them into each other PE's memory, row by row.
// Arguments: MiB of a PE's rows, how often.
#include "pes.h"
#include <math.h>

static size_t rows, order;
static double *from, *to, *packed;

static void pack(void)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < order; k++)
            packed[k * rows + i] = from[i * order + k];
}

// Adds up what has come, and says how much of it is not what the other PEs had in their columns.
static double wrong(int pe, int times)
{
    double all = 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < order; k++)
            all += fabs(to[i * order + k] - (double)(k * order + (size_t)pe * rows + i + (size_t)times)); // race
    return all;
}

int main(int argc, char **argv)
{
    shmem_init();
    int pe = shmem_my_pe(), pes = shmem_n_pes(), times = argc > 2 ? atoi(argv[2]) : 2;
    rows = (size_t)sqrt((double)doubles(argc > 1 ? argv[1] : "1", 1) / pes);
    order = rows * (size_t)pes;
    from = pes_alloc(rows * order, sizeof *from);
    packed = pes_alloc(rows * order, sizeof *packed);
    to = shmem_malloc(rows * order * sizeof *to);
    for (size_t i = 0; i < rows * order; i++)
        from[i] = (double)((size_t)pe * rows * order + i);
    double begin = pes_begin(), errors = 0;
    for (int t = 0; t < times; t++) {
        pack();
        for (int r = 0; r < pes; r++)
            for (size_t i = 0; i < rows; i++) {
                double *place = to + i * order + (size_t)pe * rows;
                shmem_double_put(place, packed + ((size_t)r * rows + i) * rows, rows, r); // race
            }
#ifndef LEFT_OUT
        shmem_barrier_all();
#endif
        errors += wrong(pe, t);
        for (size_t i = 0; i < rows * order; i++)
            from[i]++;
        shmem_barrier_all();
    }
    pes_end(begin);
    pes_check(right(errors == 0), "a block is not where it should be");
    shmem_free(to);
    free(from);
    free(packed);
    shmem_finalize();
}
