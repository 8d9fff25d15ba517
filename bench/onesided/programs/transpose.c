// A matrix is transposed: each rank has some rows, and puts a block of them into each other rank's window (MPI_Put
// into rows of another length, in one epoch of MPI_Win_lock_all). Arguments: MiB of a rank's rows, how often.
#include "onesided.h"
#include <math.h>
#include <string.h>

static int rank, size;
static size_t rows, order;
static double *from, *to, *packed;

static void pack(void)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < order; k++)
            packed[k * rows + i] = from[i * order + k];
}

// Adds up what has come, and says how much of it is not what the other ranks had in their columns.
static double wrong(int times)
{
    double all = 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < order; k++)
            all += fabs(to[i * order + k] - (double)(k * order + (size_t)rank * rows + i + (size_t)times)); // race
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int times = argc > 2 ? atoi(argv[2]) : 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rows = (size_t)sqrt((double)doubles(argc > 1 ? argv[1] : "1", 1) / size);
    order = rows * (size_t)size;
    from = workload_alloc(rows * order, sizeof *from);
    packed = workload_alloc(rows * order, sizeof *packed);
    MPI_Win win;
    MPI_Datatype block;
    MPI_Win_allocate((MPI_Aint)(rows * order * sizeof *to), sizeof *to, MPI_INFO_NULL, MPI_COMM_WORLD, &to, &win);
    MPI_Type_vector((int)rows, (int)rows, (int)order, MPI_DOUBLE, &block);
    MPI_Type_commit(&block);
    size_t cells = rows * rows; // of a block
    MPI_Aint place = (MPI_Aint)((size_t)rank * rows);
    for (size_t i = 0; i < rows * order; i++)
        from[i] = (double)((size_t)rank * rows * order + i);
    MPI_Win_lock_all(0, win);
    memset(to, 0, rows * order * sizeof *to);
    MPI_Win_sync(win);
    double begin = workload_begin(), errors = 0;
    for (int t = 0; t < times; t++) {
        pack();
        for (int r = 0; r < size; r++)
            MPI_Put(packed + (size_t)r * cells, (int)cells, MPI_DOUBLE, r, place, 1, block, win); // race
#ifndef LEFT_OUT
        MPI_Win_flush_all(win);
#endif
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_sync(win);
        errors += wrong(t);
        for (size_t i = 0; i < rows * order; i++)
            from[i]++;
        MPI_Win_flush_all(win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    workload_end(begin);
    workload_check(right(errors == 0), "a block is not where it should be");
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Type_free(&block);
    free(from);
    free(packed);
    MPI_Finalize();
}
