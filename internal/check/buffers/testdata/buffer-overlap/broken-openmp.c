/* run: -n 2 */
/* Two iterations of a loop, which two threads run, use the same memory. Relaxed atomics make the second one come later, which orders nothing. */
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
    int provided, me, shared[8] = {0};

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#pragma omp parallel num_threads(2)
    {
        int mine[8] = {0};
#pragma omp for schedule(dynamic, 1) nowait
        for (int i = 0; i < 2; i++)
            if (i == 0) {
                await(1);
                MPI_Sendrecv(mine, 8, MPI_INT, 1 - me, 0, shared, 8, MPI_INT, 1 - me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                reach(2);
            } else {
                reach(1);
                await(2);
                MPI_Sendrecv(shared, 4, MPI_INT, 1 - me, 1, mine, 4, MPI_INT, 1 - me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: with sendbuf (`shared`) in memory that MPI_Sendrecv in its thread */
            }
    }
    MPI_Finalize();
    return 0;
}
