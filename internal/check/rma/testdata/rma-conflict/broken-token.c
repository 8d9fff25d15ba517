/* run: -n 4 */
/* A token passes from rank to rank, but what each has put at rank 0 is complete only at the end of its epoch: the wait for the request, MPI_Win_flush_local and a
   message say nothing of that. Rank 0 hears of nobody. */
#include <mpi.h>

static MPI_Win win;
static int rank, seen, token;

static void receive(int from) { MPI_Recv(&token, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

int main(int argc, char **argv)
{
    int *base;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank > 1)
        receive(rank - 1);
    if (rank > 0) {
        MPI_Rget(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request); /* want: Rank 2 calls MPI_Rget, which reads bytes 0 to 3 of the window of rank 0; rank 1 writes them with MPI_Rput, and nothing orders them */
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* note: MPI_Rput is complete at the origin when its request is, not at the target */
        MPI_Rput(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request); /* want: Rank 2 calls MPI_Rput, which writes bytes 0 to 3 of the window of rank 0; rank 1 writes them with MPI_Rput, and nothing orders them */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank > 0 && rank < 3)
        MPI_Send(&rank, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 1) {
        MPI_Put(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_flush_local(0, win);
        MPI_Ssend(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        receive(1);
        MPI_Accumulate(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win); /* want: Rank 2 calls MPI_Accumulate, which updates bytes 4 to 7 of the window of rank 0; rank 1 writes them with MPI_Put, and nothing orders them */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
