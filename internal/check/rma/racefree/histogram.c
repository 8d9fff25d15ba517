/* ranks: 4 */
#include <mpi.h>
#include <stdio.h>

/* Bins lie on all ranks; everybody adds to all of them, with a fence before and after. */
int main(int argc, char **argv)
{
    enum { BINS = 16, VALUES = 200 };
    int *bins, rank, size, one = 1, total = 0, all;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(BINS * sizeof *bins, sizeof *bins, MPI_INFO_NULL, MPI_COMM_WORLD, &bins, &win);
    for (int i = 0; i < BINS; i++)
        bins[i] = 0;
    MPI_Win_fence(0, win);
    for (int i = 0; i < VALUES; i++) {
        int bin = (rank * 31 + i * 17) % (BINS * size);
        MPI_Accumulate(&one, 1, MPI_INT, bin / BINS, bin % BINS, 1, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_fence(0, win);
    for (int i = 0; i < BINS; i++)
        total += bins[i];
    MPI_Allreduce(&total, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && all != size * VALUES)
        printf("there are %d\n", all);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
