/* The owner uses memory that it has attached to a window, and its part of shared memory, while others do. */
#include <mpi.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 16 };

static int rank, other, memory[N], more[N], mine[N], *part;
static volatile int sink;

static void attached(void)
{
    MPI_Win win;
    MPI_Aint at[2];
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, memory, sizeof memory);
    MPI_Win_attach(win, more, sizeof more);
    MPI_Get_address(&more[3], &at[0]);
    MPI_Sendrecv(&at[0], 1, MPI_AINT, other, 0, &at[1], 1, MPI_AINT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(mine, 2, MPI_INT, 1, at[1], 2, MPI_INT, win); /* want: Rank 0 calls MPI_Put, which writes bytes at */
    else
        more[4] = 1; /* note: it is written to at attached (broken-plain-dynamic.c:24) */
    MPI_Win_fence(0, win);
    more[4] = 2;
    MPI_Win_detach(win, memory);
    MPI_Win_fence(0, win);
    memory[0] = 1;
    MPI_Win_fence(0, win);
    MPI_Win_detach(win, more);
    MPI_Win_free(&win);
}

static void shared(void)
{
    MPI_Win win;
    MPI_Win_allocate_shared(N * sizeof *part, sizeof *part, MPI_INFO_NULL, MPI_COMM_WORLD, &part, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(mine, 4, MPI_INT, 1, 0, 4, MPI_INT, win); /* want: Rank 0 calls MPI_Put, which writes bytes 8 to 11 of the window of rank 1; in the same epoch rank 1 reads them itself */
    else
        sink = part[2]; /* note: it is read at shared (broken-plain-dynamic.c:43) */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    attached();
    shared();
    MPI_Finalize();
    return 0;
}
