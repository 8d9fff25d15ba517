/* also: message-race */
/* run: -n 3 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    char request[16] = {0}, reply[16];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Request r;
            MPI_Status s;
            MPI_Irecv(reply, sizeof reply, MPI_BYTE, MPI_ANY_SOURCE, 2265, MPI_COMM_WORLD, &r);
            MPI_Wait(&r, &s);
        }
    } else {
        MPI_Send(request, rank == 1 ? 16 : 8, MPI_BYTE, 0, 2265, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
