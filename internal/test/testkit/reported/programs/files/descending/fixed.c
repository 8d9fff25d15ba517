/* run: -n 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, lengths[2] = {2, 2}, at[2] = {0, 8};
    char text[4] = "abcd";
    MPI_File file;
    MPI_Datatype swapped;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_indexed(2, lengths, at, MPI_CHAR, &swapped);
    MPI_Type_commit(&swapped);
    MPI_File_open(MPI_COMM_WORLD, "text", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 2 * rank, MPI_CHAR, swapped, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, text, 4, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&swapped);
    MPI_Finalize();
    return 0;
}
