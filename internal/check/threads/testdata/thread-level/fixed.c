/* The program asks for the level that it needs. */
#include <mpi.h>
#include <pthread.h>

static void *work(void *comm)
{
    int rank;
    MPI_Comm_rank(*(MPI_Comm *)comm, &rank);
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    pthread_t thread;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_create(&thread, 0, work, &comm);
    pthread_join(thread, 0);
    MPI_Finalize();
    return 0;
}
