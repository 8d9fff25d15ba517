/* only: mpich */
/* run: -n 3 */
/* The window was made for one operator only, and MPI_NO_OP is another. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, one = 1, seen, value = 0;
    MPI_Info info;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ops", "same_op");
    MPI_Win_create(&value, sizeof value, sizeof value, info, MPI_COMM_WORLD, &win);
    MPI_Info_free(&info);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    if (rank == 2)
        MPI_Fetch_and_op(&one, &seen, MPI_INT, 0, 0, MPI_NO_OP, win); /* want: Rank 2 calls MPI_Fetch_and_op, which updates bytes 0 to 3 of the window of rank 0; in the same epoch rank 1 updates them with MPI_Accumulate (MPI_SUM) */
    /* note: the window was created with accumulate_ops=same_op */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
