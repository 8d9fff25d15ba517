/* only: mpich */
/* run: -n 3 */
/* Accumulates meet whose datatypes, or operators, differ; of one rank that is a warning, as they are in order. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, one = 1;
    long value[4] = {0}, number = 1;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(value, sizeof value, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    if (rank == 2)
        MPI_Accumulate(&number, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win); /* want: Rank 2 calls MPI_Accumulate, which updates bytes 0 to 3 of the window of rank 0; in the same epoch rank 1 updates them with MPI_Accumulate (MPI_SUM) */
    /* note: here the datatype is MPI_LONG, there MPI_INT */
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Accumulate(&number, 1, MPI_LONG, 0, 1, 1, MPI_LONG, MPI_SUM, win);
    if (rank == 2)
        MPI_Accumulate(&number, 1, MPI_INT64_T, 0, 1, 1, MPI_INT64_T, MPI_SUM, win); /* want: in the same epoch rank 1 updates them with MPI_Accumulate (MPI_SUM) */
    /* note: here the datatype is MPI_INT64_T, there MPI_LONG */
    MPI_Win_fence(0, win);
    if (rank == 1) {
        MPI_Accumulate(&number, 1, MPI_LONG, 0, 2, 1, MPI_LONG, MPI_SUM, win);
        MPI_Accumulate(&number, 1, MPI_LONG, 0, 2, 1, MPI_LONG, MPI_PROD, win); /* want: in the same epoch it also updates them with MPI_Accumulate (MPI_SUM) */
        /* note: MPI may assume that concurrent accumulates use the same operator */
    }
    MPI_Win_fence(0, win);
    if (rank == 1) {
        MPI_Accumulate(&number, 1, MPI_LONG, 0, 3, 1, MPI_LONG, MPI_SUM, win);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win); /* want: in the same epoch it also updates them with MPI_Accumulate (MPI_SUM) */
        /* note: accumulates of one rank are ordered if they use the same predefined datatype */
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
