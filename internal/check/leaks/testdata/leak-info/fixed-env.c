/* What MPI_Info_create_env gives may be used and freed after MPI_Finalize, as any info object. */
/* only: mpich */ /* Open MPI 4.1 has none. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Info info;

    MPI_Init(&argc, &argv);
    MPI_Info_create_env(argc, argv, &info);
    MPI_Finalize();
    MPI_Info_free(&info);
    return 0;
}
