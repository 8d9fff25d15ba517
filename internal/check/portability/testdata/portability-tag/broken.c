/* The tag is the number of a node: it grows with the mesh. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, node = 40000, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, node, MPI_COMM_WORLD); /* want: Rank 0 calls MPI_Send with tag (`node`) 40000: MPI guarantees only tags up to 32767 */
    else
        MPI_Recv(&value, 1, MPI_INT, 0, node, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: keep tags at or below 32767 */
    MPI_Finalize();
    return 0;
}
