/* The filetype has elements of another type than the etype. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Datatype blocks;

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_Type_vector(2, 2, 4, MPI_SHORT, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(file, 0, MPI_INT, blocks, "native", MPI_INFO_NULL); /* want: with a filetype (`blocks`) that is not made of the etype: element 1 is MPI_SHORT where the etype has MPI_INT. */
    MPI_Type_free(&blocks);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
