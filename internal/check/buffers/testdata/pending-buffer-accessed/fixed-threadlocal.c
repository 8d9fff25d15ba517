/* Thread-local variables that are touched when the receive is complete, or that are another thread's. */
/* by: unknot -O2 */
#include <mpi.h>
#include <pthread.h>

__thread double halo[32];
static __thread int flag;
static int rank, other;
static volatile double sink;

static void *in_a_thread(void *none)
{
    for (int i = 0; i < 32; i++)
        halo[i] = i; /* its own one */
    flag = 2;
    sink = halo[rank] + flag;
    return none;
}

int main(int argc, char **argv)
{
    MPI_Request request;
    pthread_t thread;
    double out[32] = {0};
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Irecv(halo, 32, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request);
    flag = 1;
    pthread_create(&thread, NULL, in_a_thread, NULL);
    pthread_join(thread, NULL);
    MPI_Send(out, 32, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 32; i++)
        sink = sink + halo[i] + flag;
    MPI_Finalize();
    return 0;
}
