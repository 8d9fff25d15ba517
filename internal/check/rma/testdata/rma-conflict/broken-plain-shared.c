/* Ranks load and store in shared memory, and nothing orders them. */
#include <mpi.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 16 };

static int rank;
static volatile int sink;

static int *part_of(MPI_Win win, int member)
{
    MPI_Aint size;
    int unit, *base;
    MPI_Win_shared_query(win, member, &size, &unit, &base);
    return base;
}

static void store_and_load(void)
{
    int *own;
    MPI_Win win;
    MPI_Win_allocate_shared(N * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win); /* want: access bytes 8 to 11 of the shared memory of rank 0: rank 0 writes to them, rank 1 reads them, and no MPI call orders them */
    int *first = part_of(win, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        own[2] = 1; /* note: it is written to at store_and_load (broken-plain-shared.c:27) */
    else
        sink = first[2]; /* note: it is read at store_and_load (broken-plain-shared.c:29) */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
}

static void both_store(void)
{
    int *own;
    MPI_Win win;
    MPI_Win_allocate_shared(rank == 1 ? N * sizeof *own : 0, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win); /* want: of the shared memory of rank 1: rank 0 writes to them, rank 1 writes to them, and no MPI call orders them */
    int *second = part_of(win, 1);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < N; i++)
            second[i] = i; /* note: it is written to at both_store (broken-plain-shared.c:44) */
    else
        for (int i = 0; i < N; i += 5)
            second[i] = 5; /* note: it is written to at both_store (broken-plain-shared.c:47) */
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void put_and_load(void)
{
    int *own;
    MPI_Win win;
    MPI_Win_allocate_shared(N * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
    int *second = part_of(win, 1);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(&rank, 1, MPI_INT, 1, 4, 1, MPI_INT, win); /* want: Rank 1 calls MPI_Put, which writes bytes 16 to 19 of its own window; in the same epoch rank 0 reads them itself */
    else
        sink = second[4]; /* note: it is read at put_and_load (broken-plain-shared.c:64) */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    store_and_load();
    both_store();
    put_and_load();
    MPI_Finalize();
    return 0;
}
