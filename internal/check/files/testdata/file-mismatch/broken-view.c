/* run: -n 2 --ranks-per-agent=1 */
/* The ranks have data of different representations in the file, and of different types. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 7;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, rank ? MPI_BYTE : MPI_INT, rank ? MPI_BYTE : MPI_INT, "native", MPI_INFO_NULL); /* want: rank 0 with 4 */
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, rank ? "external32" : "native", MPI_INFO_NULL); /* want: "external32", rank 0 with "native" */
    MPI_Abort(MPI_COMM_WORLD, 0); /* also: rank-died */
    MPI_Finalize();
    return 0;
}
