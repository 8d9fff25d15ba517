/* The group is freed before its last use. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int n;
    MPI_Group all, copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    copy = all;
    MPI_Group_size(all, &n);
    MPI_Group_free(&all);
    MPI_Group_size(all, &n); /* want: MPI_Group_size with group (`all`) MPI_GROUP_NULL */
    (void)copy;
    MPI_Finalize();
    return 0;
}
