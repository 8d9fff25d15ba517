/* reported: Unidata/netcdf-c PR 2292, a file is closed on the error path that has not been opened */
#include <mpi.h>

static int create(const char *path, int mode_is_wrong)
{
    MPI_File file = MPI_FILE_NULL;
    int failed = mode_is_wrong;

    if (!failed)
        failed = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_close(&file); /* want: file-invalid: MPI_FILE_NULL */
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
/* also: call-failed rank-died */
