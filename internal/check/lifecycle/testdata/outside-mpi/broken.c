/* The communicator is asked for its size after MPI_Finalize. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int size;

    MPI_Init(&argc, &argv);
    MPI_Finalize();
    MPI_Comm_size(MPI_COMM_WORLD, &size); /* want: calls MPI_Comm_size after MPI_Finalize */
    printf("%d ranks are done\n", size);
    return 0;
}
