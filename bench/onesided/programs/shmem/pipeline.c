// A recurrence over the rows and columns of a grid, whose columns are split: a PE continues with some rows when its
// left neighbour has put their last values into its memory and then a number that says so, for which it waits
// (shmem_long_wait_until). Arguments: MiB of a PE's columns, how often.
#include "pes.h"
#include <math.h>

enum { WIDTH = 256, CHUNK = 64 };

static long ready; // the number of rows whose left values are there
static double *left, *columns;
static int pe, pes;
static size_t rows;

static void announce(const double *values, size_t first, long row)
{
    shmem_double_put(left + first, values, CHUNK, pe + 1); // race
#ifndef LEFT_OUT
    shmem_fence();
#endif
    shmem_long_p(&ready, row, pe + 1); // race
}

// Computes a row from the one above it and the value on its left, and returns its last value.
static double compute(double *row, const double *above, double l, double left_above)
{
    for (int k = 0; k < WIDTH; k++) {
        row[k] = above[k] + l - left_above;
        l = row[k];
        left_above = above[k];
    }
    return row[WIDTH - 1];
}

static void pass(long before, double *out)
{
    for (size_t first = 1; first <= rows; first += CHUNK) {
        if (pe > 0)
            shmem_long_wait_until(&ready, SHMEM_CMP_GE, before + (long)(first + CHUNK));
        for (size_t i = first; i < first + CHUNK; i++) {
            double l = pe > 0 ? left[i] : (double)i;         // race
            double a = pe > 0 ? left[i - 1] : (double)i - 1; // race
            out[i] = compute(columns + i * WIDTH, columns + (i - 1) * WIDTH, l, a);
        }
        if (pe + 1 < pes)
            announce(out + first, first, before + (long)(first + CHUNK));
    }
}

int main(int argc, char **argv)
{
    shmem_init();
    int times = argc > 2 ? atoi(argv[2]) : 2;
    pe = shmem_my_pe();
    pes = shmem_n_pes();
    rows = doubles(argc > 1 ? argv[1] : "1", CHUNK * WIDTH) / WIDTH;
    left = shmem_calloc(rows + 1, sizeof *left);
    columns = shmem_malloc((rows + 1) * WIDTH * sizeof *columns);
    double *out = pes_alloc(rows + 1, sizeof *out), most = 0;
    left[0] = pe * WIDTH - 1;
    for (int k = 0; k < WIDTH; k++)
        columns[k] = pe * WIDTH + k;
    double begin = pes_begin();
    for (int t = 0; t < times; t++) {
        pass(t * (long)(rows + CHUNK), out);
        shmem_barrier_all();
    }
    pes_end(begin);
    for (size_t i = 1; i <= rows; i++)
        for (int k = 0; k < WIDTH; k++)
            most = fmax(most, fabs(columns[i * WIDTH + (size_t)k] - (double)i - pe * WIDTH - k));
    pes_check(right(most < 0.5), "a value is wrong");
    shmem_free(left);
    shmem_free(columns);
    free(out);
    shmem_finalize();
}
