/* A group is never freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int n;
    MPI_Group all;

    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all); /* want: MPI_Finalize with 1 group of this MPI_Comm_group not freed */
    MPI_Group_size(all, &n);
    MPI_Finalize();
    return 0;
}
