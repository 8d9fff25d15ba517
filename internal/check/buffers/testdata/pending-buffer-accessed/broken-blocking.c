/* run: -n 2 */
/* by: unknot -O2 */
/* The main thread of rank 0 uses the buffers of its other thread, which is in MPI_Sendrecv. That has sent its message, as rank 1 says, and has not got the answer. */
#include <mpi.h>
#include <pthread.h>

enum { CALL = 1, ANSWER, INSIDE, GO };

static int out[4], in[4];

static void *calls(void *unused)
{
    MPI_Sendrecv(out, 4, MPI_INT, 1, CALL, in, 4, MPI_INT, 1, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: Rank 0 calls MPI_Sendrecv in thread 1 with recvbuf (`in`), and its thread 0 reads that memory before the call returns. */
    return unused;
}

static void *changes(void *unused)
{
    MPI_Sendrecv(out, 3, MPI_INT, 1, CALL, in, 4, MPI_INT, 1, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: with recvbuf (`in`), and its thread 0 writes to that memory before the call returns. */
    return unused;
}

static int during(void *(*call)(void *), int (*use)(void))
{
    int result;
    pthread_t thread;
    pthread_create(&thread, NULL, call, NULL);
    MPI_Recv(NULL, 0, MPI_INT, 1, INSIDE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    result = use();
    MPI_Send(NULL, 0, MPI_INT, 1, GO, MPI_COMM_WORLD);
    pthread_join(thread, NULL);
    return result;
}

static int reads(void) { return in[1]; }

static int writes(void)
{
    in[2] = 3; /* note: it is written to at writes (broken-blocking.c:39) */
    return out[2];
}

static void answers(void)
{
    int theirs[4], mine[4] = {0};
    MPI_Recv(theirs, 4, MPI_INT, 0, CALL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_INT, 0, INSIDE, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_INT, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(mine, 4, MPI_INT, 0, ANSWER, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int me, provided, sum = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0) {
        sum += during(calls, reads);
        sum += during(changes, writes);
    } else {
        answers();
        answers();
    }
    MPI_Finalize();
    return sum > 100;
}
