/* Where MPI looks at no datatype it may be null: at ranks that are not the root, beside MPI_IN_PLACE, and where the count is 0. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, a[16] = {0}, b[16] = {0}, n[16] = {0}, at[16] = {0};
    MPI_Datatype types[16];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Gather(a, 1, MPI_INT, b, 1, rank == 0 ? MPI_INT : MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        types[i] = MPI_INT;
    MPI_Alltoallw(a, n, at, types, b, n, at, types, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
