/* The owner of a window uses its memory between MPI_Win_post and MPI_Win_wait. */
#include <mpi.h>

/* run: -n 3 */
/* by: unknot -O2 */
enum { N = 16 };

static int rank, memory[N], mine[N];
static volatile int sink;
static MPI_Win win;
static MPI_Group owner, others;

static void put_and_load(void)
{
    MPI_Win_start(owner, 0, win);
    MPI_Put(&rank, 1, MPI_INT, 0, 2 + rank, 1, MPI_INT, win); /* want: writes bytes 12 to 15 of the window of rank 0; in the same epoch rank 0 reads them itself */
    /* note: it is read at exposed (broken-plain-post.c:43) */
    MPI_Win_complete(win);
}

static void get_and_store(void)
{
    MPI_Win_start(owner, 0, win);
    if (rank == 1)
        MPI_Get(mine, 4, MPI_INT, 0, 4, 4, MPI_INT, win); /* want: Rank 1 calls MPI_Get, which reads bytes 24 to 27 of the window of rank 0; in the same epoch rank 0 writes to them itself */
        /* note: it is written to at exposed (broken-plain-post.c:45) */
    MPI_Win_complete(win);
}

static void accumulate_and_store(void)
{
    MPI_Win_start(owner, 0, win);
    if (rank == 2)
        MPI_Accumulate(mine, N, MPI_INT, 0, 0, N, MPI_INT, MPI_SUM, win); /* want: of the window of rank 0; in the same epoch rank 0 writes to them itself */
        /* note: it is written to at exposed (broken-plain-post.c:48) */
    MPI_Win_complete(win);
}

static void exposed(int nth)
{
    MPI_Win_post(others, 0, win);
    if (nth == 0)
        sink = memory[3];
    if (nth == 1)
        memory[6] = 1;
    if (nth == 2)
        for (int i = 0; i < 4; i++)
            memory[i] = i;
    MPI_Win_wait(win);
    sink = memory[3];
}

int main(int argc, char **argv)
{
    static void (*const cases[])(void) = {put_and_load, get_and_store, accumulate_and_store};
    MPI_Group world;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){0}, &owner);
    MPI_Group_excl(world, 1, (int[]){0}, &others);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < 3; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            exposed(i);
        else
            cases[i]();
    }
    MPI_Group_free(&owner);
    MPI_Group_free(&others);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
