/* Displacements that stay within a variable, whatever they are counted from; those of blocks without data; and those made of two addresses. */
#include <mpi.h>

static double all[8], other[8];

int main(int argc, char **argv)
{
    int rank, size, sizes[2] = {4, 4}, backwards[2] = {-4, 0}, forwards[2] = {0, 4}, none[2] = {4, 0}, wild[2] = {0, 1000000};
    int bytes[2] = {0, (int)((char *)other - (char *)all)};
    double mine[8] = {0};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE};

    MPI_Init(&argc, &argv); /* run: -n 2 */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Gatherv(mine, 4, MPI_DOUBLE, all + 4, sizes, backwards, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Gatherv(mine, 4, MPI_DOUBLE, all, sizes, forwards, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Gatherv(mine, none[rank], MPI_DOUBLE, all, none, wild, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    int own[2] = {0, 4};
    MPI_Alltoallw(mine, sizes, (int[]){0, 32}, types, all, sizes, bytes, types, MPI_COMM_WORLD);
    MPI_Alltoallv(mine, sizes, own, MPI_DOUBLE, other, sizes, forwards, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
