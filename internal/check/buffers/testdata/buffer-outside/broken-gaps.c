/* The count is of floats, the datatype a plane with gaps: no block lies across the end, and what goes on behind it meets the other buffer. */
#include <mpi.h>

static float mine[64] = {1}, all[128] = {1}, more[1024] = {1};

int main(int argc, char **argv)
{
    MPI_Datatype plane;

    MPI_Init(&argc, &argv); /* run: -n 2 */
    MPI_Type_vector(8, 4, 8, MPI_FLOAT, &plane);
    MPI_Type_commit(&plane);
    MPI_Allgather(mine, 3, plane, all, 3, plane, MPI_COMM_WORLD); /* want: with sendbuf (`mine`) in the variable `mine` of 256 bytes; the data extends 464 bytes beyond its end */
    MPI_Type_free(&plane);
    MPI_Finalize();
    return more[0] < 0;
}
