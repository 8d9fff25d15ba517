#include <mpi.h>

static int create(const char *path, int mode_is_wrong)
{
    MPI_File file = MPI_FILE_NULL;
    int failed = mode_is_wrong;

    if (!failed)
        failed = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    if (file != MPI_FILE_NULL)
        MPI_File_close(&file);
    return failed;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    create("data", 0);
    create("data", 1);
    MPI_Finalize();
    return 0;
}
