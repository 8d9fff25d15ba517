/* The constructor of a library asks for the rank before main has initialised MPI. */
#include <mpi.h>

static int rank;

__attribute__((constructor)) static void library(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* want: A process calls MPI_Comm_rank before MPI is initialised. */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return rank;
}
