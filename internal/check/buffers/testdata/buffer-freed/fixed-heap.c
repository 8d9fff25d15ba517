/* Memory is freed when what used it is complete, by whatever thread, and given out again; deep and shallow calls take turns. */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

static int other;
static jmp_buf back;
static ucontext_t outside, inside;

static void *release(void *p)
{
    free(p);
    return NULL;
}

static int deep(int n)
{
    int room[64] = {n}, got;
    MPI_Request r[2];

    if (n == 0)
        return room[0];
    MPI_Irecv(&got, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&room[0], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &r[1]);
    deep(n - 1);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    return got;
}

/* On a stack of its own, above or below that of the thread. */
static void coroutine(void)
{
    int value = 0;
    MPI_Request r;

    MPI_Irecv(&value, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r);
    swapcontext(&inside, &outside);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void jump(void)
{
    int value = 1;

    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    longjmp(back, 1);
}

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Request r;
    pthread_t thread;
    void *stack;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &value); /* run: -n 2 --check-memory */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    for (int i = 0; i < 100; i++) {
        int *p = malloc(1000);
        MPI_Irecv(p, 250, MPI_INT, other, 0, MPI_COMM_WORLD, &r);
        MPI_Send(&value, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        if (i % 2) {
            pthread_create(&thread, NULL, release, p);
            pthread_join(thread, NULL);
        } else {
            free(p);
        }
        deep(1 + i % 3);
    }
    stack = mmap(NULL, 1 << 18, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    getcontext(&inside);
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = 1 << 18;
    inside.uc_link = &outside;
    makecontext(&inside, coroutine, 0);
    swapcontext(&outside, &inside);
    MPI_Send(&rank, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    swapcontext(&outside, &inside);
    munmap(stack, 1 << 18);
    if (setjmp(back) == 0)
        jump();
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
