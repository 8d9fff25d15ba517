/* The group is freed after its last use. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int n;
    MPI_Group all, copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    copy = all;
    MPI_Group_size(copy, &n);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
