/* code: deadlock */
/* sentence: Ranks 0 and 1 wait for each other: rank 0 is in MPI_Intercomm_create and rank 1 is in MPI_Intercomm_create. */
/* hint: remote_leader must be the rank in peer_comm of the process that leads the other group */
/* The two groups use different tags. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm group, both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, 1 - rank % 2, rank % 2, &both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&group);
    MPI_Finalize();
    return 0;
}
