/* A matched probe takes the message out. Where a plain one is used, the threads have tags of their own, or a lock. */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *own)
{
    MPI_Status status;
    MPI_Message message;
    int n, data[4], tag = *(int *)own;

    MPI_Mprobe(0, 5, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    MPI_Mrecv(data, n, MPI_INT, &message, &status);

    MPI_Probe(0, tag, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    MPI_Recv(data, n, MPI_INT, 0, tag, MPI_COMM_WORLD, &status);

    pthread_mutex_lock(&lock);
    MPI_Probe(0, 8, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    MPI_Recv(data, n, MPI_INT, 0, 8, MPI_COMM_WORLD, &status);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(int argc, char **argv)
{
    int provided, rank, data[4] = {0}, tags[] = {6, 7};
    pthread_t thread;
    MPI_Request sends[6];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Isend(data, 4, MPI_INT, 1, 5, MPI_COMM_WORLD, &sends[3 * i]);
            MPI_Isend(data, 4, MPI_INT, 1, tags[i], MPI_COMM_WORLD, &sends[3 * i + 1]);
            MPI_Isend(data, 4, MPI_INT, 1, 8, MPI_COMM_WORLD, &sends[3 * i + 2]);
        }
        MPI_Waitall(6, sends, MPI_STATUSES_IGNORE);
    } else {
        pthread_create(&thread, 0, work, &tags[0]);
        work(&tags[1]);
        pthread_join(thread, 0);
    }
    MPI_Finalize();
    return 0;
}
