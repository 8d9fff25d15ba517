/* code: deadlock */
/* sentence: Ranks 0-2 wait for each other in a cycle: rank 0 is in MPI_Intercomm_create, rank 1 is in MPI_Intercomm_create and rank 2 is in MPI_Intercomm_create. */
/* hint: remote_leader must be the rank in peer_comm of the process that leads the other group */
/* Even and odd ranks are a group each, led by ranks 0 and 1. Rank 1 names rank 2 as the leader of the even ones, which is none: it waits for rank 0. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm group, both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank % 2 ? 2 : 1, 7, &both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&group);
    MPI_Finalize();
    return 0;
}
