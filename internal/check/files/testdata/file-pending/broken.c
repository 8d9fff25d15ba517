/* The file is closed before the write is known to be complete. */
/* also: leak-request request-lost */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 7;
    MPI_File file;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_iwrite_at(file, rank * sizeof number, &number, 1, MPI_INT, &request);
    MPI_File_close(&file); /* want: while 1 access of the file is not known to be complete: no call has waited for it */
    MPI_Finalize();
    return 0;
}
