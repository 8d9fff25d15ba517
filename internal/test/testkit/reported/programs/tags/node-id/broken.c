/* reported: ComputationalRadiationPhysics/picongpu 982, llnl/conduit PR 1268: tags are made of large numbers, and exceed MPI_TAG_UB on another machine */
#include <mpi.h>

static int tag_of(int node, int direction) { return node * 8 + direction; }

static void give(int *x, int tag)
{
    MPI_Send(x, 1, MPI_INT, 1, tag, MPI_COMM_WORLD); /* want-mpich: tag-invalid: 560000003 */
}

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        give(&x, tag_of(70000000, 3)); /* want-openmpi: portability-tag: 560000003 */
    else
        MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
/* also: call-failed rank-died portability-tag */
