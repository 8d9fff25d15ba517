/* A group is freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int n;
    MPI_Group all;

    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_size(all, &n);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
