/* ranks: 3 */
#include <mpi.h>
#include <stdlib.h>
/* data by put, then a flag by accumulate; the readers poll it with MPI_Fetch_and_op. */
int main(int argc, char **argv)
{
    int rank, size, *mem, one = 1, zero = 0, seen, data = 99;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    for (int i = 0; i < 8; i++) mem[i] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 1; round <= 20; round++) {
        if (rank == 1) {
            do {
                MPI_Fetch_and_op(&zero, &seen, MPI_INT, 0, 1, MPI_NO_OP, win);
                MPI_Win_flush(0, win);
            } while (seen != (round - 1) * (size - 2));
            data = round;
            MPI_Put(&data, 1, MPI_INT, 0, 4, 1, MPI_INT, win);
            MPI_Win_flush(0, win);
            MPI_Accumulate(&round, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
            MPI_Win_flush(0, win);
        } else if (rank > 1) {
            do {
                MPI_Fetch_and_op(&zero, &seen, MPI_INT, 0, 0, MPI_NO_OP, win);
                MPI_Win_flush(0, win);
            } while (seen != round);
            MPI_Get(&data, 1, MPI_INT, 0, 4, 1, MPI_INT, win);
            MPI_Win_flush(0, win);
            if (data != round) abort();
            MPI_Accumulate(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
            MPI_Win_flush(0, win);
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
