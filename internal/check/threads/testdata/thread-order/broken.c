/* run: -n 2 */
/* A thread receives a field and sets a flag; the other one waits for the flag and sends the field on. That is right, but nothing is known of the order. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static double field[1000];
static atomic_int full;

static void *receive(void *unused)
{
    MPI_Recv(field, 1000, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    atomic_store_explicit(&full, 1, memory_order_release);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    pthread_t receiver;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&receiver, NULL, receive, NULL);
        while (!atomic_load_explicit(&full, memory_order_acquire))
            usleep(100);
        MPI_Send(field, 1000, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD); /* want: in several threads, and unknot does not follow their order */
        pthread_join(receiver, NULL);
    } else {
        field[0] = 1;
        MPI_Send(field, 1000, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(field, 1000, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return field[0] != 1;
}
