#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file = MPI_FILE_NULL;
    int failed;

    MPI_Init(&argc, &argv);
    failed = MPI_File_open(MPI_COMM_WORLD, "log", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    if (!failed)
        MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
