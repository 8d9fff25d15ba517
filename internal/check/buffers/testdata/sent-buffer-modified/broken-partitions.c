/* A partition is written after it was given to MPI. */
#include <mpi.h>

enum { PARTITIONS = 4, N = 8 };

static double data[PARTITIONS][N];

int main(int argc, char **argv)
{
    int rank, list[2] = {2, 3};
    MPI_Request request;
    MPI_Init(&argc, &argv); /* by: unknot */
    /* only: mpich */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Psend_init(data, PARTITIONS, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request); /* want: writes to partition 1 of buf (`data`), which it has given to MPI by MPI_Pready */
    else
        MPI_Precv_init(data, PARTITIONS, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < 3; round++) {
        MPI_Start(&request); /* note: the operation was started by MPI_Start */
        if (rank == 0) {
            data[0][0] = data[1][0] = round;
            MPI_Pready_range(0, 1, request);
            data[2][0] = data[3][0] = round;
            if (round == 2)
                data[1][N - 1] = 1; /* note: it is written to at main (broken-partitions.c:26) */
            MPI_Pready_list(2, list, request);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* note: it was completed by MPI_Wait */
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
