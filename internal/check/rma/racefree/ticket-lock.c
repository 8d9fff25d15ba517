/* ranks: 3 */
#include <mpi.h>
#include <stdio.h>

/* Tickets are drawn and called by fetch-and-op; whose ticket is called has the value for himself. */
int main(int argc, char **argv)
{
    enum { ROUNDS = 4, DRAWN = 0, CALLED = 1, VALUE = 2 };
    int *memory, rank, size, ticket, called, value, one = 1, nothing = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(3 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[DRAWN] = memory[CALLED] = memory[VALUE] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, DRAWN, MPI_SUM, win);
        MPI_Win_flush(0, win);
        do {
            MPI_Fetch_and_op(&nothing, &called, MPI_INT, 0, CALLED, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        } while (called != ticket);
        MPI_Get(&value, 1, MPI_INT, 0, VALUE, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        value += 1;
        MPI_Put(&value, 1, MPI_INT, 0, VALUE, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Accumulate(&one, 1, MPI_INT, 0, CALLED, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && memory[VALUE] != size * ROUNDS)
        printf("the value is %d\n", memory[VALUE]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
