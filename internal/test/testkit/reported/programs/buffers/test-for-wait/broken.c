/* reported: xiaoyeli/superlu_dist PR 117, MPI_Test where MPI_Wait was needed: the buffer is overwritten while it is sent */
#include <mpi.h>
#include <stdlib.h>

enum { N = 200000 };

int main(int argc, char **argv)
{
    int rank, done;
    double *x = malloc(N * sizeof *x);
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < N; i++)
        x[i] = rank;
    for (int step = 0; step < 2; step++) {
        if (rank == 0) {
            MPI_Isend(x, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &r); /* want: sent-buffer-modified: `x` */
            MPI_Test(&r, &done, MPI_STATUS_IGNORE);
            for (int i = 0; i < N; i++)
                x[i] += 1;
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Recv(x, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    free(x);
    MPI_Finalize();
    return 0;
}
