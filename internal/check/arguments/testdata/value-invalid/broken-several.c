/* Values that the functions do not take. Errors return, so that all are reached. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, dims[1] = {2}, periods[1] = {1}, from, to, sizes[1] = {4}, parts[1] = {2}, starts[1] = {0};
    char *memory;
    MPI_Comm grid, node;
    MPI_Win win;
    MPI_File file;
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* also: call-failed rank-died */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
    MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN);
    MPI_Cart_shift(grid, 1, 1, &from, &to); /* want: direction 1; the grid has 1 dimension, counted from 0 */
    MPI_Type_create_subarray(1, sizes, parts, starts, 99, MPI_INT, &type); /* want: it must be MPI_ORDER_C or MPI_ORDER_FORTRAN */
    MPI_Win_allocate(16, 1, MPI_INFO_NULL, MPI_COMM_SELF, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock(0, 0, 0, win); /* want: lock_type 0; it must be MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE */
    MPI_File_open(MPI_COMM_SELF, "file", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_seek(file, 0, -7); /* want: whence -7; it must be MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END */
    MPI_File_write_at(file, -8, &rank, 1, MPI_INT, MPI_STATUS_IGNORE); /* want: offset -8; an offset in a file must be 0 or more */
    MPI_Comm_split_type(MPI_COMM_SELF, -5, 0, MPI_INFO_NULL, &node); /* want: split_type -5; it must be MPI_COMM_TYPE_SHARED, another such constant, or MPI_UNDEFINED */
    MPI_Barrier(MPI_COMM_WORLD); /* When one ends, the launcher takes away what the other needs to open the file. */
    exit(0);
}
