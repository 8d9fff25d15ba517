/* run: -n 2 */
/* No barrier and no lock is between the calls of the two threads, or their critical sections have different names. They come one after the other this time, as
   a relaxed atomic delays the second, which orders nothing. */
#include <mpi.h>
#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int sent;
static int loaded(void) { return atomic_load_explicit(&sent, memory_order_relaxed); }
static int (*volatile look)(void) = loaded; /* a loop that waits for a variable itself may be an order of threads */

int main(int argc, char **argv)
{
    int provided, rank, data = 1, got;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            MPI_Send(&data, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
            atomic_store_explicit(&sent, 1, memory_order_relaxed);
        } else {
            while (!look())
                usleep(1000);
            MPI_Recv(&got, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: calls MPI_Recv in thread 0 after MPI_Send in its thread 1, and nothing orders the two */
        }
#pragma omp barrier
        if (omp_get_thread_num() == 1) {
#pragma omp critical(sending)
            MPI_Send(&data, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
            atomic_store_explicit(&sent, 2, memory_order_relaxed);
        } else {
            while (look() < 2)
                usleep(1000);
#pragma omp critical(receiving)
            MPI_Recv(&got, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: calls MPI_Recv in thread 0 after MPI_Send in its thread 1, and nothing orders the two */
        }
    }
    MPI_Finalize();
    return 0;
}
