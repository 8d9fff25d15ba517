/* Of two windows, one is freed under a lock. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int *memory[2];
    MPI_Win held, idle;

    MPI_Init(&argc, &argv);
    MPI_Win_allocate(sizeof *memory[0], sizeof *memory[0], MPI_INFO_NULL, MPI_COMM_WORLD, &memory[0], &held);
    MPI_Win_allocate(sizeof *memory[1], sizeof *memory[1], MPI_INFO_NULL, MPI_COMM_WORLD, &memory[1], &idle);
    MPI_Win_lock_all(0, held);
    MPI_Win_free(&idle);
    MPI_Win_free(&held); /* want: MPI_Win_free with win (`&held`) a window for which a lock of all ranks is held: MPI_Win_unlock_all is missing. */
    MPI_Finalize();
    return 0;
}
