/* ranks: 3 */
#include <mpi.h>
#include <stdlib.h>
/* A seqlock: version by atomics, data by accumulates with MPI_REPLACE and gets by MPI_NO_OP, so that they may meet. */
int main(int argc, char **argv)
{
    int rank, *mem, zero = 0, a, b, x[2], r[2];
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    for (int i = 0; i < 8; i++) mem[i] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 20; i++) {
        if (rank == 1) {
            int one = 1;
            MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
            MPI_Win_flush(0, win);
            x[0] = x[1] = i;
            MPI_Accumulate(x, 2, MPI_INT, 0, 2, 2, MPI_INT, MPI_REPLACE, win);
            MPI_Win_flush(0, win);
            MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
            MPI_Win_flush(0, win);
        } else if (rank == 2) {
            do {
                MPI_Fetch_and_op(&zero, &a, MPI_INT, 0, 0, MPI_NO_OP, win);
                MPI_Win_flush(0, win);
                MPI_Get_accumulate(&zero, 0, MPI_INT, r, 2, MPI_INT, 0, 2, 2, MPI_INT, MPI_NO_OP, win);
                MPI_Win_flush(0, win);
                MPI_Fetch_and_op(&zero, &b, MPI_INT, 0, 0, MPI_NO_OP, win);
                MPI_Win_flush(0, win);
            } while (a != b || a & 1);
            if (r[0] != r[1]) abort();
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
