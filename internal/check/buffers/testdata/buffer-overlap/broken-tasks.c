/* run: -n 2 */
/* Two tasks use the same memory, and nothing orders them: they depend on different variables, or both only read one, or what waits for the first does so for
   another task. Relaxed atomics have the first end before, in another thread, which orders nothing. */
#include <mpi.h>
#include <stdatomic.h>
#include <unistd.h>

static int me, field[8];
static atomic_int state;
static int loaded(void) { return atomic_load_explicit(&state, memory_order_relaxed); }
static int (*volatile look)(void) = loaded; /* a loop that waits for a variable itself may be an order of threads */

static void reach(int value) { atomic_store_explicit(&state, value, memory_order_relaxed); }

static void await(int value)
{
    while (look() < value)
        usleep(1000);
}

static void receive(int done)
{
    int mine[8] = {0};
    MPI_Sendrecv(mine, 8, MPI_INT, 1 - me, 0, field, 8, MPI_INT, 1 - me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    reach(done);
}

static void busy(int begun, int until)
{
    reach(begun);
    await(until);
}

int main(int argc, char **argv)
{
    int provided, theirs[8], one = 0, other = 0;
    (void)one, (void)other;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#pragma omp parallel num_threads(2)
#pragma omp master
    {
#pragma omp task
        receive(1);
        await(1);
#pragma omp task if (0)
        MPI_Sendrecv(field, 1, MPI_INT, 1 - me, 1, theirs, 1, MPI_INT, 1 - me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: with sendbuf (`field`) in memory that MPI_Sendrecv in its thread 1 */
/* note: it was made by MPI_Sendrecv at receive (broken-tasks.c:24) */
#pragma omp taskwait

#pragma omp task depend(out: one)
        receive(2);
        await(2);
#pragma omp task depend(inout: other) if (0)
        MPI_Sendrecv(field, 2, MPI_INT, 1 - me, 1, theirs, 2, MPI_INT, 1 - me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: with sendbuf (`field`) in memory that MPI_Sendrecv in its thread 1 */
#pragma omp taskwait

#pragma omp task depend(in: one)
        receive(3);
        await(3);
#pragma omp task depend(in: one) if (0)
        MPI_Sendrecv(field, 3, MPI_INT, 1 - me, 1, theirs, 3, MPI_INT, 1 - me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: with sendbuf (`field`) in memory that MPI_Sendrecv in its thread 1 */
#pragma omp taskwait

        /* A task of a task is not waited for. */
#pragma omp task
#pragma omp task
        receive(4);
        await(4);
#pragma omp taskwait
        MPI_Sendrecv(field, 4, MPI_INT, 1 - me, 1, theirs, 4, MPI_INT, 1 - me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: with sendbuf (`field`) in memory that MPI_Sendrecv in its thread 1 */

        /* Nor is a task that was made outside the group. */
#pragma omp task
        receive(5);
        await(5);
#pragma omp taskgroup
        {
#pragma omp task
            busy(6, 7);
            await(6);
            reach(7);
        }
        MPI_Sendrecv(field, 5, MPI_INT, 1 - me, 1, theirs, 5, MPI_INT, 1 - me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* clean: the other thread's next task, which the group waits for, comes after it */
#pragma omp taskwait

        /* Nor does waiting for its own tasks order a task behind another one. */
#pragma omp task
        receive(8);
        await(8);
#pragma omp task if (0)
        {
            int sum = 0;
#pragma omp taskloop num_tasks(2) if (0)
            for (int i = 0; i < 2; i++)
#pragma omp atomic
                sum += i;
            MPI_Sendrecv(field, 6, MPI_INT, 1 - me, 1, theirs, 6, MPI_INT, 1 - me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: with sendbuf (`field`) in memory that MPI_Sendrecv in its thread 1 */
        }
    }
    MPI_Finalize();
    return 0;
}
