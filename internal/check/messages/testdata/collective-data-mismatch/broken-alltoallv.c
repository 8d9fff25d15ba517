/* run: -n 3 */
/* Rank 2 expects one integer more of rank 1 than that sends it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, send[9] = {0}, recv[9] = {0}, sc[3], rc[3], at[3] = {0, 3, 6};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        sc[i] = 1 + (rank + i) % 2;
        rc[i] = 1 + (rank + i) % 2 + (rank == 2 && i == 1);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Alltoallv(send, sc, at, MPI_INT, recv, rc, at, MPI_INT, MPI_COMM_WORLD); /* want: In MPI_Alltoallv rank 1 sends rank 2 2 × MPI_INT, but rank 2 expects 3 × MPI_INT from it */
    MPI_Finalize();
    return 0;
}
