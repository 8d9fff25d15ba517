/* Rank 1 is in the group twice. Open MPI makes a communicator of that, on which nobody returns from a barrier. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int ranks[3] = {0, 1, 1};
    MPI_Group world, group;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &world); /* run: -n 3 */
    MPI_Group_incl(world, 3, ranks, &group); /* want: ranks[2] 1; ranks[1] is the same; duplicates are not allowed */
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm); /* only: openmpi */
    if (comm != MPI_COMM_NULL)
        MPI_Barrier(comm); /* note: because of this, ranks 0 and 1 do not return from MPI_Barrier: unknot ended the job */
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
