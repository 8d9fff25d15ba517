/* run: -n 2 */
/* Two tasks call collectives on one communicator, and depend on different variables. Only relaxed atomics make the second one come later, which orders nothing. */
#include <mpi.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int state;
static int loaded(void) { return atomic_load_explicit(&state, memory_order_relaxed); }
static int (*volatile look)(void) = loaded; /* a loop that waits for a variable itself may be an order of threads */

static void reach(int value) { atomic_store_explicit(&state, value, memory_order_relaxed); }

static void await(int value)
{
    while (look() < value)
        usleep(1000);
}

int main(int argc, char **argv)
{
    int provided, mine = 1, all, data = 1;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
#pragma omp parallel num_threads(2)
#pragma omp master
    {
#pragma omp task depend(out: all)
        {
            MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            reach(1);
        }
        await(1);
#pragma omp task depend(out: data) if (0)
        MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD); /* want: calls MPI_Bcast in thread 0 on MPI_COMM_WORLD after MPI_Allreduce in its thread 1, and nothing orders the two: in another run they may come in the other order */
    }
    MPI_Finalize();
    return 0;
}
