/* Wrong: rank 0 starts with the broadcast on `data`, its root rank 1 with the barrier on MPI_COMM_WORLD. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Comm data;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Comm_dup(MPI_COMM_WORLD, &data);
    if (rank == 0) {
        MPI_Bcast(&value, 1, MPI_INT, 1, data); /* rank 0 waits here */
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD); /* rank 1 waits here */
        MPI_Bcast(&value, 1, MPI_INT, 1, data);
    }
    MPI_Comm_free(&data);

    MPI_Finalize();
    return 0;
}
