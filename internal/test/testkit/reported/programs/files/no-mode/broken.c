/* reported: open-mpi/ompi 9083, a file is created without saying whether it is read or written */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file = MPI_FILE_NULL;
    int failed;

    MPI_Init(&argc, &argv);
    failed = MPI_File_open(MPI_COMM_WORLD, "log", MPI_MODE_CREATE, MPI_INFO_NULL, &file); /* want: amode-invalid: MPI_MODE_CREATE */
    if (!failed)
        MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
/* also: call-failed rank-died */
