/* The buffer is filled for the next message while the last one is being sent. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[2] = {1, 2}, got[2];
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Isend(value, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r); /* want: MPI_Isend with buf (`value`) and changes the data before the operation is completed */
    value[1] = 3;                                                  /* note: the first change is among the 8 bytes of the data */
    MPI_Recv(got, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE); /* note: it was completed by MPI_Wait at main (broken.c:14) */
    MPI_Finalize();
    return 0;
}
