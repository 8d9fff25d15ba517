/* ranks: 4 */
#include <mpi.h>
#include <stdio.h>

/* A lock that is made of compare-and-swap guards a value that is read and written. */
int main(int argc, char **argv)
{
    enum { ROUNDS = 5, LOCK = 0, VALUE = 1 };
    int *memory, rank, size, value, taken, free_ = 0, mine;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = rank + 1;
    MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    memory[LOCK] = memory[VALUE] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS; round++) {
        do {
            MPI_Compare_and_swap(&mine, &free_, &taken, MPI_INT, 0, LOCK, win);
            MPI_Win_flush(0, win);
        } while (taken != 0);
        MPI_Get(&value, 1, MPI_INT, 0, VALUE, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        value++;
        MPI_Put(&value, 1, MPI_INT, 0, VALUE, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Compare_and_swap(&free_, &mine, &taken, MPI_INT, 0, LOCK, win);
        MPI_Win_flush(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 0 && memory[VALUE] != size * ROUNDS)
        printf("the value is %d\n", memory[VALUE]);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
