/* Partitions are read before they are known to have arrived. */
#include <mpi.h>

enum { PARTITIONS = 4, N = 8 };

static double data[PARTITIONS][N];
static double sum;

static void add(int i)
{
    for (int j = 0; j < N; j++)
        sum += data[i][j];
}

int main(int argc, char **argv)
{
    int rank, here;
    MPI_Request request;
    MPI_Init(&argc, &argv); /* by: unknot */
    /* only: mpich */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(data, PARTITIONS, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        for (int round = 0; round < 3; round++) {
            MPI_Start(&request);
            for (int i = 0; i < PARTITIONS; i++) {
                data[i][0] = round;
                MPI_Pready(i, request);
            }
            add(0);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Precv_init(data, PARTITIONS, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request); /* want: reads partition 2 of buf (`data`) of MPI_Precv_init before it is known to have arrived */
        for (int round = 0; round < 3; round++) {
            MPI_Start(&request); /* note: the operation was started by MPI_Start */
            for (here = 0; !here;)
                MPI_Parrived(request, 1, &here);
            add(1);
            if (round == 1)
                add(2); /* note: it is read at add (broken-partitions.c:12) */
            MPI_Wait(&request, MPI_STATUS_IGNORE); /* note: it was completed by MPI_Wait */
            add(3);
        }
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return sum < 0;
}
