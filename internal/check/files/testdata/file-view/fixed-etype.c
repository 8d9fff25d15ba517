/* The filetype is made of the etype; that of bytes is taken for any. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Datatype blocks;

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_Type_vector(2, 2, 4, MPI_SHORT, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(file, 0, MPI_SHORT, blocks, "native", MPI_INFO_NULL);
    MPI_File_set_view(file, 0, MPI_BYTE, blocks, "native", MPI_INFO_NULL);
    MPI_Type_free(&blocks);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
