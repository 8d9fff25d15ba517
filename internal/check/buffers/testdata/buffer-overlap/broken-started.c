/* run: -n 2 */
/* The main thread of rank 0 starts a receive into memory that its other thread, in MPI_Sendrecv, still receives into. That has sent its message, as rank 1 says, and
   has not got the answer. */
#include <mpi.h>
#include <pthread.h>

enum { CALL = 1, ANSWER, INSIDE, GO, LATER };

static int in[4];

static void *calls(void *unused)
{
    int out[4] = {0};
    MPI_Status status;
    MPI_Sendrecv(out, 4, MPI_INT, 1, CALL, in, 4, MPI_INT, MPI_ANY_SOURCE, ANSWER, MPI_COMM_WORLD, &status);
    return unused;
}

int main(int argc, char **argv)
{
    int me, provided, other[4] = {0};

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0) {
        pthread_t thread;
        MPI_Request request;
        MPI_Recv_init(in, 2, MPI_INT, 1, LATER, MPI_COMM_WORLD, &request);
        pthread_create(&thread, NULL, calls, NULL);
        MPI_Recv(NULL, 0, MPI_INT, 1, INSIDE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Start(&request); /* want: in memory that its thread 1, which is in MPI_Sendrecv, still receives into (8 bytes are in both). */
        MPI_Send(NULL, 0, MPI_INT, 1, GO, MPI_COMM_WORLD);
        pthread_join(thread, NULL);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    } else {
        MPI_Recv(other, 4, MPI_INT, 0, CALL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(NULL, 0, MPI_INT, 0, INSIDE, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(other, 4, MPI_INT, 0, ANSWER, MPI_COMM_WORLD);
        MPI_Send(other, 2, MPI_INT, 0, LATER, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
