/* The second window begins inside the first: its offset counts bytes. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[8] = {0};
    MPI_Win left, right;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(value, 4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &left);
    MPI_Win_create((char *)value + 4, 4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &right); /* want: with memory of which 12 bytes already belong to another window */
    MPI_Win_free(&right);
    MPI_Win_free(&left);
    MPI_Finalize();
    return 0;
}
