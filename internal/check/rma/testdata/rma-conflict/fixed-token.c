/* run: -n 4 */
/* A token passes from rank to rank, and what each has put at rank 0 is complete before that. Or the owner has seen it in its memory, and says so; or the origin
   has read it by an accumulate. */
#include <mpi.h>

static MPI_Win win;
static int rank, seen, token;

static void receive(int from) { MPI_Recv(&token, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void send(int to) { MPI_Send(&token, 1, MPI_INT, to, 0, MPI_COMM_WORLD); }

int main(int argc, char **argv)
{
    int *base, zero = 0, there;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    for (int i = 0; i < 4; i++)
        base[i] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 0)
        receive(rank - 1);
    MPI_Rget(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Rput(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(0, win);
    if (rank < 3)
        send(rank + 1);
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 1) {
        MPI_Put(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        send(2);
    } else if (rank == 0) {
        send(2);
        while (!*(volatile int *)&base[1]) {
            MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
            MPI_Win_sync(win);
        }
        send(2);
    } else if (rank == 2) {
        receive(0);
        receive(1);
        receive(0);
        MPI_Get(&seen, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        if (seen != 1)
            return 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 1) {
        MPI_Accumulate(&rank, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_SUM, win);
        MPI_Rget_accumulate(&zero, 1, MPI_INT, &seen, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_SUM, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (seen != 1)
            return 1;
        send(2);
    } else if (rank == 2) {
        receive(1);
        MPI_Get(&seen, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        if (seen != 1)
            return 1;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
