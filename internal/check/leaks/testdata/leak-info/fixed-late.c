/* Info objects may be freed after MPI_Finalize. */
/* only: mpich */ /* Open MPI 4.1 does not allow it yet. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Info info;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    if (rank == 0)
        MPI_Info_free(&info);
    MPI_Finalize();
    if (rank > 0)
        MPI_Info_free(&info);
    return 0;
}
