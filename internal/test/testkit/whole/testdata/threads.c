/* Two threads of rank 0 receive from any source, each with a tag of its own, when all messages are there. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static void *receive(void *of)
{
    int tag = *(int *)of, met[2], x;
    MPI_Status s;

    for (int i = 0; i < 2; i++) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &s);
        met[i] = s.MPI_SOURCE;
    }
    printf("thread %d met %d %d\n", tag, met[0], met[1]);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, tags[2] = {0, 1};
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 4; i++)
            MPI_Probe(1 + i % 2, i / 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_create(&thread, NULL, receive, &tags[1]);
        receive(&tags[0]);
        pthread_join(thread, NULL);
    } else {
        MPI_Request r[2];
        MPI_Status s[2];
        for (int i = 0; i < 2; i++)
            MPI_Isend(&rank, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &r[i]);
        MPI_Waitall(2, r, s);
    }
    MPI_Finalize();
    return 0;
}
