/* There is no lock, but threads take turns: one is started when another one has been joined, or waits for a message that the other one has caused. Threads that may
   probe at the same time have tags or communicators of their own. */
#include <mpi.h>
#include <pthread.h>

static MPI_Comm comms[2];

static void take(int tag, MPI_Comm comm)
{
    MPI_Status status;
    int n, data[8];

    MPI_Probe(MPI_ANY_SOURCE, tag, comm, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    MPI_Recv(data, n, MPI_INT, status.MPI_SOURCE, tag, comm, &status);
}

static void *turn(void *unused)
{
    take(5, MPI_COMM_WORLD);
    return unused;
}

static void *after(void *unused)
{
    int go;

    MPI_Recv(&go, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    take(5, MPI_COMM_WORLD);
    return unused;
}

static void *beside(void *unused)
{
    take(6, MPI_COMM_WORLD);
    take(8, comms[0]);
    return unused;
}

int main(int argc, char **argv)
{
    int provided, rank, data[8] = {0};
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    if (rank == 0) {
        MPI_Request sends[8];

        for (int i = 0; i < 4; i++)
            MPI_Isend(data, 1 + i, MPI_INT, 1, 5, MPI_COMM_WORLD, &sends[i]);
        for (int i = 0; i < 2; i++) {
            MPI_Isend(data, 4, MPI_INT, 1, 6 + i, MPI_COMM_WORLD, &sends[4 + 2 * i]);
            MPI_Isend(data, 4, MPI_INT, 1, 8, comms[i], &sends[5 + 2 * i]);
        }
        MPI_Waitall(8, sends, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < 2; i++) {
            pthread_create(&thread, 0, turn, 0);
            pthread_join(thread, 0);
        }
        pthread_create(&thread, 0, after, 0);
        take(5, MPI_COMM_WORLD);
        MPI_Send(data, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
        pthread_join(thread, 0);
        pthread_create(&thread, 0, beside, 0);
        take(7, MPI_COMM_WORLD);
        take(8, comms[1]);
        pthread_join(thread, 0);
    }
    MPI_Comm_free(&comms[0]);
    MPI_Comm_free(&comms[1]);
    MPI_Finalize();
    return 0;
}
