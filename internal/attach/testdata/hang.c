// Programs that hang, by the first argument.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static void ready(void)
{
    printf("rank %d pid %d\n", rank, getpid());
    fflush(stdout);
}

static void receive(int source, int tag, MPI_Comm comm)
{
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, source, tag, comm, MPI_STATUS_IGNORE); // ring
}

static void *worker(void *source)
{
    receive(*(int *)source, 3, MPI_COMM_WORLD);
    return NULL;
}

static void compute(void)
{
    for (volatile int i = 0;; i = i % 1000 + 1) // computes
        ;
}

int main(int argc, char **argv)
{
    int level = 0, value = 0, other = 0;
    const char *kind = argc > 1 ? argv[1] : "";
    MPI_Init_thread(&argc, &argv, strcmp(kind, "threads") ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size;
    MPI_Comm half = MPI_COMM_NULL;
    if (!strcmp(kind, "half"))
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    ready();
    if (!strcmp(kind, "ring"))
        receive(next, 7, MPI_COMM_WORLD);
    if (!strcmp(kind, "barrier")) {
        if (rank == 0)
            MPI_Barrier(MPI_COMM_WORLD); // barrier
        receive(0, 7, MPI_COMM_WORLD);
    }
    if (!strcmp(kind, "sleeper")) {
        if (rank == size - 1)
            sleep(1000); // sleeps
        receive(size - 1, 7, MPI_COMM_WORLD);
    }
    if (!strcmp(kind, "computer")) {
        if (rank == size - 1)
            compute();
        receive(size - 1, 7, MPI_COMM_WORLD);
    }
    if (!strcmp(kind, "finalize") && rank > 0)
        receive(0, 7, MPI_COMM_WORLD);
    if (!strcmp(kind, "tags")) {
        MPI_Send(&rank, 1, MPI_INT, next, 5, MPI_COMM_WORLD);
        receive((rank + size - 1) % size, 6, MPI_COMM_WORLD);
    }
    if (!strcmp(kind, "any"))
        receive(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD);
    if (!strcmp(kind, "wait")) {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, next, 7, MPI_COMM_WORLD, &request); // posted
        MPI_Wait(&request, MPI_STATUS_IGNORE);                            // wait
    }
    if (!strcmp(kind, "half")) {
        if (rank == 0)
            MPI_Barrier(half); // half
        else
            receive(0, 7, MPI_COMM_WORLD);
    }
    if (!strcmp(kind, "sends")) {
        static int much[1 << 20];
        MPI_Ssend(much, 1 << 20, MPI_INT, next, 7, MPI_COMM_WORLD); // sends
    }
    if (!strcmp(kind, "order")) {
        MPI_Comm first, second;
        MPI_Comm_dup(MPI_COMM_WORLD, &first);
        MPI_Comm_dup(MPI_COMM_WORLD, &second);
        MPI_Barrier(rank == 0 ? first : second); // order
        MPI_Barrier(rank == 0 ? second : first);
    }
    if (!strcmp(kind, "ibarrier")) {
        MPI_Request request;
        if (rank > 0)
            receive(0, 7, MPI_COMM_WORLD);
        MPI_Ibarrier(MPI_COMM_WORLD, &request); // entered
        MPI_Wait(&request, MPI_STATUS_IGNORE);  // completes
    }
    if (!strcmp(kind, "epochs")) {
        static _Alignas(64) int shared[16];
        MPI_Group all, others;
        MPI_Win window;
        MPI_Comm_group(MPI_COMM_WORLD, &all);
        MPI_Group_excl(all, 1, (int[]){0}, &others);
        MPI_Win_create(shared, sizeof shared, sizeof *shared, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        for (int i = 0; i < 2; i++) // rank 2 takes part in the first epoch only
            if (rank == 0) {
                MPI_Win_post(others, 0, window);
                MPI_Win_wait(window); // epoch
            } else if (rank == 1 || i == 0) {
                MPI_Group target;
                MPI_Group_incl(all, 1, (int[]){0}, &target);
                MPI_Win_start(target, 0, window);
                MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
                MPI_Win_complete(window);
                MPI_Group_free(&target);
            }
        receive(0, 7, MPI_COMM_WORLD);
    }
    if (!strcmp(kind, "differ")) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank < 2)
            MPI_Barrier(MPI_COMM_WORLD); // two
        else
            MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD); // one
    }
    if (!strcmp(kind, "root")) {
        if (rank == 0)
            sleep(1000);                                  // sleeps too
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); // root
    }
    if (!strcmp(kind, "threads")) {
        pthread_t thread;
        pthread_create(&thread, NULL, worker, &next);
        pthread_join(thread, NULL); // join
    }
    while (!strcmp(kind, "moves"))
        MPI_Sendrecv(&value, 1, MPI_INT, next, 0, &other, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
