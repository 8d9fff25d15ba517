/* run: -n 2 */
/* Two threads receive messages of different lengths with one tag, but each has room for both; or the longer message has a tag that only one of them takes; or the
   thread with the short buffer is joined first. */
#include <mpi.h>
#include <pthread.h>

static int room[40], header[2], body[20];

static void *any(void *unused)
{
    MPI_Recv(room, 40, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(body, 20, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return unused;
}

static void *brief(void *unused)
{
    MPI_Recv(header, 2, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return unused;
}

int main(int argc, char **argv)
{
    int provided, me, own[20];
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0) {
        pthread_create(&thread, NULL, any, NULL);
        MPI_Recv(own, 20, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(header, 2, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
        pthread_create(&thread, NULL, brief, NULL);
        pthread_join(thread, NULL);
        MPI_Recv(body, 20, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(header, 2, MPI_INT, 0, 5, MPI_COMM_WORLD);
        MPI_Send(body, 20, MPI_INT, 0, 5, MPI_COMM_WORLD);
        MPI_Send(body, 20, MPI_INT, 0, 6, MPI_COMM_WORLD);
        MPI_Send(header, 2, MPI_INT, 0, 7, MPI_COMM_WORLD);
        MPI_Send(header, 2, MPI_INT, 0, 8, MPI_COMM_WORLD);
        MPI_Send(body, 20, MPI_INT, 0, 8, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
