/* run: -n 3 */
/* Different types and counts of the same signature, parts of different sizes, MPI_IN_PLACE. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, data[64] = {0}, more[64] = {0}, counts[3] = {1, 2, 3}, at[3] = {0, 1, 3};
    MPI_Datatype three;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&three);
    MPI_Bcast(data, rank == 0 ? 6 : 2, rank == 0 ? MPI_INT : three, 0, MPI_COMM_WORLD);
    MPI_Gatherv(data, rank + 1, MPI_INT, more, counts, at, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(more, counts, at, MPI_INT, rank == 0 ? MPI_IN_PLACE : (void *)data, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(data, rank + 1, MPI_INT, more, counts, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 1, three, MPI_COMM_WORLD);
    MPI_Reduce_scatter(data, more, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoall(data, 3, MPI_INT, more, 1, three, MPI_COMM_WORLD);
    MPI_Gather(rank == 1 ? MPI_IN_PLACE : (void *)data, 1, three, more, 3, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Type_free(&three);
    MPI_Finalize();
    return 0;
}
