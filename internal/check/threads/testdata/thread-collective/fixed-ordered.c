/* run: -n 2 */
/* The main thread's collective comes after the other thread's, as a semaphore says, or is on another communicator. */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static MPI_Comm own;
static sem_t done;

static void *first(void *unused)
{
    int mine = 1, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    sem_post(&done);
    return unused;
}

static void *apart(void *unused)
{
    MPI_Barrier(own);
    return unused;
}

int main(int argc, char **argv)
{
    int provided, data = 1;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, first, NULL);
    sem_wait(&done);
    MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD);
    pthread_join(thread, NULL);

    pthread_create(&thread, NULL, apart, NULL);
    MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD);
    pthread_join(thread, NULL);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
