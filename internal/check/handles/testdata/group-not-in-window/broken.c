/* The group has a rank of MPI_COMM_WORLD that is not in the window. */
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
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    other = (rank + 2) % 4;
    MPI_Group_incl(all, 1, &other, &peer);
    MPI_Win_post(peer, 0, win); /* want: MPI_Win_post with group (`peer`) a group that has rank */
    MPI_Abort(MPI_COMM_WORLD, 1);
    /* run: -n 4 */
    /* also: rma-epoch-order group-invalid */
    MPI_Finalize();
    return 0;
}
