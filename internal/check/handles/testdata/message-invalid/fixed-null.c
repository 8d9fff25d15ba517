/* What a matched probe from MPI_PROC_NULL gives, MPI_MESSAGE_NO_PROC, is the same each time. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int n = 0;
    MPI_Message first, second;

    MPI_Init(&argc, &argv);
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
    MPI_Mrecv(&n, 1, MPI_INT, &first, MPI_STATUS_IGNORE);
    MPI_Mrecv(&n, 1, MPI_INT, &second, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
