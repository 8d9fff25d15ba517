/* Both entries are ranks of the group, and different. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, row[2] = {0, 1};
    MPI_Group world, first;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, row, &first);
    MPI_Group_free(&first);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
