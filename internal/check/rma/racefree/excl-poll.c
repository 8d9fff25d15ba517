/* ranks: 3 */
#include <mpi.h>
#include <stdlib.h>
/* A flag at rank 0 is set and polled under locks; the data at rank 2 is put and got under shared locks. */
int main(int argc, char **argv)
{
    int rank, *mem, v = 5, f = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    for (int i = 0; i < 8; i++) mem[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
        MPI_Put(&v, 1, MPI_INT, 2, 3, 1, MPI_INT, win);
        MPI_Win_unlock(2, win);
        v = 1;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    if (rank == 0) {
        while (!f) {
            MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
            MPI_Get(&f, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
            MPI_Win_unlock(0, win);
        }
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
        MPI_Get(&v, 1, MPI_INT, 2, 3, 1, MPI_INT, win);
        MPI_Win_unlock(2, win);
        if (v != 5) abort();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
