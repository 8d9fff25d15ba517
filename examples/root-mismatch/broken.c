/* Wrong: each rank takes itself for the root of the broadcast: both send, nobody receives, and the run ends as
 * if all were well. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, root, value = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    root = rank; /* meant: the rank that has read the input */
    MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD); /* both ranks name another root */

    MPI_Finalize();
    return 0;
}
