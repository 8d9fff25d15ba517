/* run: -n 3 --ranks-per-agent=1 */
/* Ranks 1 and 2 combine their numbers with different operators, in epochs that rank 0 lets begin together. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, zero = 0, others[2] = {1, 2};
    MPI_Win win;
    MPI_Group world, group;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (rank == 0) {
        MPI_Group_incl(world, 2, others, &group);
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
    } else {
        MPI_Group_incl(world, 1, &zero, &group);
        MPI_Win_start(group, 0, win);
        MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, rank == 1 ? MPI_SUM : MPI_PROD, win); /* want: in the same epoch rank 1 updates them with MPI_Accumulate (MPI_SUM) */
        /* note: here the operator is MPI_PROD */
        MPI_Win_complete(win);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
