/* reported: open-mpi/ompi 126, one rank broadcasts with another count */
/* run: -n 3 */
#include <mpi.h>

static int data[1142];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(data, rank == 1 ? 1142 : 1088, MPI_INT, 0, MPI_COMM_WORLD); /* want: collective-data-mismatch: 1142 */
    MPI_Finalize();
    return 0;
}
