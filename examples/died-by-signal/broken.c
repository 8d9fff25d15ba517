/* Wrong: rank 1 crashes where it should send to rank 0. */
#include <mpi.h>
#include <signal.h>

int main(int argc, char **argv)
{
    int rank, value = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Barrier(MPI_COMM_WORLD); /* the last call of rank 1 */
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        raise(SIGSEGV);

    MPI_Finalize();
    return 0;
}
