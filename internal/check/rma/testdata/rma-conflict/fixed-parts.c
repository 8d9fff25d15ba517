/* run: -n 3 */
/* Accumulates of one datatype whose elements are at the same places, though the calls begin at others, and the datatypes have gaps. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, ones[4] = {1, 1, 1, 1}, lengths[2] = {1, 1};
    struct { double value; int place; } best = {1, 2}, *pairs;
    MPI_Aint places[2] = {0, 12};
    MPI_Datatype odd, even;
    char *base;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &odd);
    MPI_Type_commit(&odd);
    MPI_Type_vector(2, 1, 2, MPI_INT, &even);
    MPI_Type_commit(&even);
    MPI_Win_allocate(96, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    for (int i = 0; i < 96; i++)
        base[i] = 0;
    pairs = (void *)(base + 32);
    MPI_Win_fence(0, win);
    MPI_Accumulate(ones, 2, MPI_INT, 0, 4 * rank, 2, MPI_INT, MPI_SUM, win);
    MPI_Accumulate(ones, 2, MPI_INT, 0, 4, 1, odd, MPI_SUM, win);
    MPI_Accumulate(ones, 2, MPI_INT, 0, 0, 1, even, MPI_SUM, win);
    MPI_Accumulate(&best, 1, MPI_DOUBLE_INT, 0, 32, 1, MPI_DOUBLE_INT, MPI_MAXLOC, win);
    MPI_Win_fence(0, win);
    if (rank == 0 && pairs[0].place != 2)
        return 1;
    MPI_Win_free(&win);
    MPI_Type_free(&odd);
    MPI_Type_free(&even);
    MPI_Finalize();
    return 0;
}
