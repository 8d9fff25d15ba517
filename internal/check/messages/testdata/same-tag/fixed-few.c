/* run: -n 3 --check=same-tag */
/* One tag is enough for messages of one datatype, for two places, and for messages to different ranks. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 3, m;
    double x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int up = (rank + 1) % 3, down = (rank + 2) % 3;
    MPI_Sendrecv(&n, 1, MPI_INT, up, 0, &m, 1, MPI_INT, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&n, 1, MPI_INT, up, 0, &m, 1, MPI_INT, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 5; i++)
        MPI_Sendrecv(&n, 1, MPI_INT, up, 0, &m, 1, MPI_INT, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(&x, 1, MPI_DOUBLE, down, 0, up, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(&n, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_PROC_NULL, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
