/* The owners of windows use their memory when they may. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 64 };

static int rank, other, *memory, mine[N], there;
static volatile int sink;
static MPI_Win win;

/* Between fences others may access it, but only other bytes, or all only read. */
static void fences(void)
{
    MPI_Datatype even;
    MPI_Type_vector(N / 2, 1, 2, MPI_INT, &even);
    MPI_Type_commit(&even);
    for (int i = 0; i < N; i++)
        memory[i] = i;
    MPI_Win_fence(0, win);
    MPI_Put(mine, N / 2, MPI_INT, other, 0, 1, even, win);
    for (int i = 1; i < N; i += 2)
        memory[i] += 2;
    MPI_Win_fence(0, win);
    for (int i = 0; i < N; i++)
        memory[i] = 0;
    MPI_Win_fence(0, win);
    MPI_Get(mine, N, MPI_INT, other, 0, N, MPI_INT, win);
    for (int i = 0; i < N; i++)
        sink = memory[i];
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    memset(memory, 0, N * sizeof *memory);
    MPI_Type_free(&even);
}

static void posts(void)
{
    MPI_Group world, peer;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &peer);
    memory[0] = 1;
    if (rank == 0) {
        MPI_Win_post(peer, 0, win);
        memory[5] = 2;
        MPI_Win_wait(win);
        sink = memory[0];
        memory[0] = 4;
    } else {
        MPI_Win_start(peer, 0, win);
        MPI_Put(mine, 4, MPI_INT, 0, 0, 4, MPI_INT, win);
        memory[0] = 3;
        MPI_Win_complete(win);
    }
    MPI_Group_free(&peer);
    MPI_Group_free(&world);
}

/* What is stored before a barrier is there for others behind it. */
static void initialised(void)
{
    for (int i = 0; i < N; i++)
        memory[i] = rank;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
    MPI_Get(mine, N, MPI_INT, other, 0, N, MPI_INT, win);
    MPI_Win_unlock(other, win);
    MPI_Barrier(MPI_COMM_WORLD);
    memory[0] = 3;
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A message says that a put is complete. */
static void told(void)
{
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(mine, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Send(mine, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Win_unlock(1, win);
    } else {
        MPI_Recv(mine, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 4; i++)
            memory[i]++;
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The owner tells that it is done. */
static void asked(void)
{
    if (rank == 1) {
        memory[7] = 1;
        MPI_Send(mine, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(mine, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get(mine, 1, MPI_INT, 1, 7, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Both lock it for themselves alone. */
static void exclusive(void)
{
    int one = 1;
    for (int i = 0; i < 3; i++) {
        if (rank == 1) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
            memory[9]++;
            MPI_Win_unlock(1, win);
        } else {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
            MPI_Put(&one, 1, MPI_INT, 1, 9, 1, MPI_INT, win);
            MPI_Win_unlock(1, win);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The owner waits for a flag that is put after the data. */
static void polled(void)
{
    int one = 1;
    memory[20] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock_all(0, win);
        MPI_Put(mine, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Accumulate(&one, 1, MPI_INT, 1, 20, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_unlock_all(win);
    } else {
        MPI_Win_lock_all(0, win);
        while (*(volatile int *)&memory[20] == 0)
            MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); /* so that the library goes on */
        sink = memory[2];
        memory[3] = 0;
        MPI_Win_unlock_all(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* What is not in the window, or not any more. */
static void others(void)
{
    int *block = malloc(2 * N * sizeof *block);
    MPI_Win of_half;
    MPI_Win_create(block + N, N * sizeof *block, sizeof *block, MPI_INFO_NULL, MPI_COMM_WORLD, &of_half);
    MPI_Win_fence(0, of_half);
    MPI_Put(mine, N, MPI_INT, other, 0, N, MPI_INT, of_half);
    block[N - 1] = 1;
    MPI_Win_fence(0, of_half);
    block[N] = 1;
    MPI_Win_free(&of_half);
    block[N + 1] = 1;
    free(block);
    block = malloc(2 * N * sizeof *block);
    memset(block, 0, 2 * N * sizeof *block);
    free(block);
}

/* Its own puts are complete. */
static void itself(void)
{
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    memory[1] = 2;
    MPI_Put(mine, 4, MPI_INT, rank, 0, 4, MPI_INT, win);
    MPI_Win_flush(rank, win);
    memory[1]++;
    MPI_Win_unlock(rank, win);
    MPI_Win_fence(0, win);
    memory[1] = 2;
    MPI_Put(mine, 4, MPI_INT, rank, 0, 4, MPI_INT, win);
    MPI_Win_fence(0, win);
    memory[1] = 2;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Win_allocate(N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    fences();
    posts();
    MPI_Barrier(MPI_COMM_WORLD);
    initialised();
    told();
    asked();
    exclusive();
    polled();
    others();
    itself();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
