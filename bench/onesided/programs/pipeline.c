// A recurrence over the rows and columns of a grid, whose columns are split: a rank continues with some rows when its
// left neighbour has put their last values into its window and then, by MPI_Accumulate, a number that says so.
// Arguments: MiB of a rank's columns, how often.
#include "onesided.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { WIDTH = 256, CHUNK = 64 };

// A window: the number of rows whose left values are there; these values; the columns.
typedef struct {
    long ready;
    double values[];
} memory;

static MPI_Win win;
static memory *own;
static int rank, size;
static size_t rows;

static void wait_for(long row)
{
    long ready;
    do {
        MPI_Fetch_and_op(NULL, &ready, MPI_LONG, rank, 0, MPI_NO_OP, win);
        MPI_Win_flush(rank, win);
    } while (ready < row);
}

static void announce(const double *values, size_t first, long row)
{
    MPI_Aint place = (MPI_Aint)(offsetof(memory, values) + first * sizeof *values);
    MPI_Put(values, CHUNK, MPI_DOUBLE, rank + 1, place, CHUNK, MPI_DOUBLE, win); // race
#ifndef LEFT_OUT
    MPI_Win_flush(rank + 1, win);
#endif
    MPI_Accumulate(&row, 1, MPI_LONG, rank + 1, 0, 1, MPI_LONG, MPI_REPLACE, win);
    MPI_Win_flush(rank + 1, win);
}

// Computes a row from the one above it and the value on its left, and returns its last value.
static double compute(double *row, const double *above, double left, double left_above)
{
    for (int k = 0; k < WIDTH; k++) {
        row[k] = above[k] + left - left_above;
        left = row[k];
        left_above = above[k];
    }
    return row[WIDTH - 1];
}

static void pass(long before, double *out)
{
    double *left = own->values, *columns = own->values + rows + 1;
    for (size_t first = 1; first <= rows; first += CHUNK) {
        if (rank > 0)
            wait_for(before + (long)(first + CHUNK));
        for (size_t i = first; i < first + CHUNK; i++) {
            double l = rank > 0 ? left[i] : (double)i;         // race
            double a = rank > 0 ? left[i - 1] : (double)i - 1; // race
            out[i] = compute(columns + i * WIDTH, columns + (i - 1) * WIDTH, l, a);
        }
        if (rank + 1 < size)
            announce(out + first, first, before + (long)(first + CHUNK));
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int times = argc > 2 ? atoi(argv[2]) : 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rows = doubles(argc > 1 ? argv[1] : "1", CHUNK * WIDTH) / WIDTH;
    size_t bytes = sizeof(memory) + (rows + 1 + (rows + 1) * WIDTH) * sizeof(double);
    MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
    double *out = workload_alloc(rows + 1, sizeof *out);
    MPI_Win_lock_all(0, win);
    memset(own, 0, bytes);
    double *columns = own->values + rows + 1;
    own->values[0] = rank * WIDTH - 1;
    for (int k = 0; k < WIDTH; k++)
        columns[k] = rank * WIDTH + k;
    MPI_Win_sync(win);
    double begin = workload_begin(), most = 0;
    for (int t = 0; t < times; t++) {
        pass(t * (long)(rows + CHUNK), out);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    workload_end(begin);
    for (size_t i = 1; i <= rows; i++)
        for (int k = 0; k < WIDTH; k++)
            most = fmax(most, fabs(columns[i * WIDTH + (size_t)k] - (double)i - rank * WIDTH - k));
    workload_check(right(most < 0.5), "a value is wrong");
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    free(out);
    MPI_Finalize();
}
