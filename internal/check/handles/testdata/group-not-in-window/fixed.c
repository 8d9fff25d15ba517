/* The group is made from the window's own. */
/* run: -n 4 */
/* only: mpich */ /* Open MPI 4.1 mixes up the shared memory of two windows that are made at the same time. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *a, other;
    MPI_Comm half;
    MPI_Group all, peer;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Win_allocate(sizeof *a, 1, MPI_INFO_NULL, half, &a, &win);
    MPI_Win_get_group(win, &all);
    other = 1 - rank % 2;
    MPI_Group_incl(all, 1, &other, &peer);
    MPI_Win_post(peer, 0, win);
    MPI_Win_start(peer, 0, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Group_free(&peer);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
