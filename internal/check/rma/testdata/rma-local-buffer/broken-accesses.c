/* The program itself uses buffers of RMA operations that are not complete at the origin. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 32 };

static int rank, other;
static volatile int sink;
static int *memory, got[N], given[N], one;
static MPI_Win win;

static void by_fence(void)
{
    MPI_Win_fence(0, win);
    MPI_Get(got, N, MPI_INT, other, 0, N, MPI_INT, win); /* want: MPI_Get with origin_addr (`got`) and reads that memory before the operation is completed */
    sink = got[3];                                       /* note: it is read at by_fence (broken-accesses.c:19) */
    MPI_Win_fence(0, win);
    sink = got[3];
}

static void by_lock(void)
{
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
    MPI_Put(given, N, MPI_INT, other, 0, N, MPI_INT, win); /* want: MPI_Put with origin_addr (`given`) and writes to that memory */
    sink = given[0];
    given[N - 1] = 4; /* note: it is written to at by_lock (broken-accesses.c:29) */
    MPI_Win_unlock(other, win);
    given[N - 1] = 5;
}

static void by_flush(void)
{
    MPI_Win_lock_all(0, win);
    MPI_Get(got, 4, MPI_INT, other, 0, 4, MPI_INT, win);
    MPI_Win_flush_local(other, win);
    sink = got[0];
    MPI_Get(got, 4, MPI_INT, other, 4, 4, MPI_INT, win); /* want: writes to that memory */
    memset(got, 0, 8);                                   /* note: it is written to at by_flush (broken-accesses.c:41) */
    MPI_Win_flush_local_all(win);
    sink = got[1];
    MPI_Win_unlock_all(win);
}

static void by_request(void)
{
    MPI_Request r;
    MPI_Win_lock_all(0, win);
    MPI_Rget(got, 4, MPI_INT, other, 0, 4, MPI_INT, win, &r); /* want: MPI_Rget with origin_addr (`got`) and reads that memory */
    sink = got[2];                                            /* note: it is read at by_request (broken-accesses.c:52) */
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    sink = got[2];
    MPI_Win_unlock_all(win);
}

static void by_post(void)
{
    MPI_Group world, peer;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &peer);
    MPI_Win_post(peer, 0, win);
    MPI_Win_start(peer, 0, win);
    MPI_Put(given, N, MPI_INT, other, 0, N, MPI_INT, win); /* want: writes to that memory */
    for (int i = 0; i < N; i++)
        given[i] = i; /* note: it is written to at by_post (broken-accesses.c:67) */
    MPI_Win_complete(win);
    given[0] = 1;
    MPI_Win_wait(win);
    MPI_Group_free(&peer);
    MPI_Group_free(&world);
}

static void fetched(void)
{
    int before = 0;
    one = 1;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, win);
    MPI_Fetch_and_op(&one, &before, MPI_INT, other, 0, MPI_SUM, win); /* want: MPI_Fetch_and_op with result_addr (`&before`) and reads that memory */
    sink = before;                                                    /* note: it is read at fetched (broken-accesses.c:81) */
    MPI_Win_unlock(other, win);
    sink = before;
}

static void accumulated(void)
{
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
    MPI_Accumulate(given, N, MPI_INT, other, 0, N, MPI_INT, MPI_SUM, win); /* want: MPI_Accumulate with origin_addr (`given`) and writes to that memory */
    given[1]++;                                                           /* note: it is written to at accumulated (broken-accesses.c:90) */
    MPI_Win_unlock(other, win);
}

static void gathered(void)
{
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
    MPI_Get_accumulate(NULL, 0, MPI_INT, got, N, MPI_INT, other, 0, N, MPI_INT, MPI_NO_OP, win); /* want: MPI_Get_accumulate with result_addr (`got`) and reads that memory */
    sink = got[N / 2];                                                                          /* note: it is read at gathered (broken-accesses.c:98) */
    MPI_Win_unlock(other, win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Win_allocate(N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    by_fence();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        by_lock();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        by_flush();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        by_request();
    MPI_Barrier(MPI_COMM_WORLD);
    by_post();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        fetched();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        accumulated();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        gathered();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
