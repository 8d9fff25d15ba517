/* ranks: 2 */
#include <mpi.h>
#include <stdlib.h>
/* Notified access: data by put, then a counter by accumulate; the owner polls the counter in its own memory and then loads the data, and says by its own atomic that it is done. */
int main(int argc, char **argv)
{
    int rank, *mem, zero = 0, one = 1, seen;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    for (int i = 0; i < 64; i++) mem[i] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 1; i <= 20; i++) {
        if (rank == 0) {
            int data[16];
            for (int k = 0; k < 16; k++) data[k] = i;
            MPI_Put(data, 16, MPI_INT, 1, 16, 16, MPI_INT, win);
            MPI_Win_flush(1, win);
            MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
            MPI_Win_flush(1, win);
            do {
                MPI_Fetch_and_op(&zero, &seen, MPI_INT, 0, 1, MPI_NO_OP, win);
                MPI_Win_flush(0, win);
            } while (seen < i);
        } else {
#ifdef VOL
            while (((volatile int *)mem)[0] < i) MPI_Win_sync(win);
#else
            do {
                MPI_Fetch_and_op(&zero, &seen, MPI_INT, 1, 0, MPI_NO_OP, win);
                MPI_Win_flush(1, win);
            } while (seen < i);
#endif
            MPI_Win_sync(win);
            for (int k = 16; k < 32; k++) if (mem[k] != i) abort();
            MPI_Accumulate(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
            MPI_Win_flush(0, win);
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
