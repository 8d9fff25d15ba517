/* Rank 0 may access rank 1, not itself; afterwards no epoch is open. */
/* also: call-failed */
#include <mpi.h>

int main(int argc, char **argv)
{
    static int value, other;
    int rank;
    MPI_Win win;
    MPI_Group world, peer;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int one = 1 - rank;
    MPI_Group_incl(world, 1, &one, &peer);
    if (rank == 0) {
        MPI_Win_start(peer, 0, win);
        MPI_Put(&other, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
        MPI_Put(&other, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* want: outside any epoch: the last one has ended */
    } else {
        MPI_Win_post(peer, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Group_free(&peer);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
