// Two ranks exchange messages in many iterations. In one of them rank 0 uses another tag, and both wait forever.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    int rank, in = 0, out = 1, sum;
    const long most = atol(argv[1]), at = atol(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (long i = 0; i < most; i++) {
        if (rank == 0) {
            MPI_Send(&out, 1, MPI_INT, 1, i == at ? 4 : 3, MPI_COMM_WORLD);
            MPI_Recv(&in, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        }
        if (i % 12 == 11)
            MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
