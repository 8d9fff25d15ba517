/* The blocks of the filetype are not in the order of the file. */
/* also: call-failed */
#include <mpi.h>

int main(int argc, char **argv)
{
    int lengths[2] = {1, 1}, places[2] = {2, 0};
    MPI_File file;
    MPI_Datatype blocks;

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_Type_indexed(2, lengths, places, MPI_INT, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(file, 0, MPI_INT, blocks, "native", MPI_INFO_NULL); /* want: whose displacements decrease: element 2 is at byte 0, the one before it at byte 8 */
    MPI_Type_free(&blocks);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
