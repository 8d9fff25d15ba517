/* The buffer has room for one message, and three may be on their way; the last one is persistent. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[100] = {0}, size;
    static char room[400 + MPI_BSEND_OVERHEAD];
    void *old;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Buffer_attach(room, sizeof room);
    if (rank == 0) {
        MPI_Bsend_init(data, 100, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
        MPI_Bsend(data, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Bsend(data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* want: MPI_Bsend with the last of 2 messages that need */
        MPI_Start(&r);                                     /* want: MPI_Start with the last of 3 messages that need */
        MPI_Abort(MPI_COMM_WORLD, 1);                      /* also: call-failed rank-died */
    }
    MPI_Recv(data, 100, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&old, &size);
    MPI_Finalize();
    return 0;
}
