/* MPI_PROC_NULL is no root of an intracommunicator; the window has two ranks. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int value = 0, *memory, coords[1], dims[1] = {2}, periods[1] = {0};
    MPI_Win win;
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* also: call-failed rma-epoch rank-died */
    MPI_Bcast(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_COMM_WORLD); /* want: root MPI_PROC_NULL, but MPI_COMM_WORLD has 2 ranks (0 to 1) */
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
    MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN);
    MPI_Cart_coords(grid, 2, 1, coords); /* want: rank 2, but Cartesian topology of MPI_COMM_WORLD */
    MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win); /* want: rank 2, but MPI_COMM_WORLD has 2 ranks (0 to 1) */
    exit(0);
}
