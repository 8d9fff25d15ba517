/* run: -n 3 */
/* Accumulates of one datatype whose elements overlap in part: by displacements in bytes, by a datatype with a gap, and under locks. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, ones[2] = {1, 1}, lengths[2] = {1, 1};
    double one = 1;
    char *base;
    MPI_Aint places[2] = {0, 6};
    MPI_Datatype odd;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &odd);
    MPI_Type_commit(&odd);
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    for (int i = 0; i < 64; i++)
        base[i] = 0;
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Accumulate(ones, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    if (rank == 2)
        MPI_Accumulate(ones, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_SUM, win); /* want: Rank 2 calls MPI_Accumulate, which updates bytes 2 to 3 of the window of rank 0; in the same epoch rank 1 updates them with MPI_Accumulate (MPI_SUM) */
    /* note: elements of 4 bytes overlap in part: accumulates are atomic for each element, so these must begin at the same byte */
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Accumulate(ones, 2, MPI_INT, 0, 16, 2, MPI_INT, MPI_SUM, win);
    if (rank == 2)
        MPI_Accumulate(ones, 2, MPI_INT, 0, 17, 1, odd, MPI_SUM, win); /* no offset of the datatype is that of another element, so this is not judged */
    MPI_Win_fence(0, win);
    if (rank == 1) {
        MPI_Accumulate(&one, 1, MPI_DOUBLE, 0, 32, 1, MPI_DOUBLE, MPI_SUM, win);
        MPI_Accumulate(&one, 1, MPI_DOUBLE, 0, 36, 1, MPI_DOUBLE, MPI_SUM, win); /* want: Rank 1 calls MPI_Accumulate, which updates bytes 36 to 39 of the window of rank 0; in the same epoch it also updates them with MPI_Accumulate (MPI_SUM) */
        /* note: elements of 8 bytes overlap in part */
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);

    MPI_Win_allocate(64, 2, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 1)
        MPI_Accumulate(&one, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_SUM, win);
    if (rank == 2)
        MPI_Accumulate(&one, 1, MPI_DOUBLE, 0, 2, 1, MPI_DOUBLE, MPI_SUM, win); /* want: Rank 2 calls MPI_Accumulate, which updates bytes 4 to 7 of the window of rank 0; rank 1 updates them with MPI_Accumulate (MPI_SUM), and nothing orders them */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Type_free(&odd);
    MPI_Finalize();
    return 0;
}
