/* run: -n 2 */
/* Tasks use the same memory one after the other: by what makes or waits for them, by dependences, critical sections, a barrier, or the end of the region. They
   run in different threads, as relaxed atomics keep one of these busy. */
#include <mpi.h>
#include <omp.h>
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

static void send(int done)
{
    int theirs[8];
    MPI_Sendrecv(field, 8, MPI_INT, 1 - me, 1, theirs, 8, MPI_INT, 1 - me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    reach(done);
}

static void busy(int begun, int until)
{
    reach(begun);
    await(until);
}

/* What thread 0 makes, thread 1 runs, which has nothing else to do. */
static void waited_for(void)
{
#pragma omp task
    receive(1);
    await(1);
#pragma omp taskwait
    send(2);

    receive(3);
#pragma omp task
    send(4);
    await(4);
#pragma omp taskwait

#pragma omp taskgroup
    {
#pragma omp task
#pragma omp task
        receive(5);
        await(5);
    }
    send(6);

#pragma omp task
    {
#pragma omp task
        receive(7);
#pragma omp taskwait
        send(8);
    }
    await(8);
#pragma omp taskwait
}

static void dependent(void)
{
    int one = 0, other = 0;
    omp_depend_t object;
    (void)one, (void)other;

#pragma omp task depend(out: one)
    receive(11);
    await(11);
#pragma omp task depend(in: one) if (0)
    send(12);

#pragma omp task depend(in: one)
    send(13);
    await(13);
#pragma omp task depend(inout: other, one) if (0)
    receive(14);

#pragma omp task depend(mutexinoutset: one)
    send(15);
    await(15);
#pragma omp task depend(mutexinoutset: one) if (0)
    receive(16);

#pragma omp depobj(object) depend(inout: other)
#pragma omp task depend(depobj: object)
    send(17);
    await(17);
#pragma omp task depend(in: other) if (0)
    receive(18);
#pragma omp depobj(object) destroy

#pragma omp task depend(inout: one)
    send(19);
    await(19);
#pragma omp taskwait depend(in: one)
    receive(20);

    /* Thread 1 has begun another task when the second one may run. */
#pragma omp task depend(out: one)
    {
        send(21);
#pragma omp task
        busy(22, 23);
    }
#pragma omp task
    await(22);
#pragma omp task depend(in: one)
    receive(23);
#pragma omp taskwait
}

static void in_loops(void)
{
    atomic_int inside = 0;
#pragma omp taskloop num_tasks(2) shared(inside)
    for (int i = 0; i < 2; i++) {
        atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed);
        while (atomic_load_explicit(&inside, memory_order_relaxed) < 2)
            usleep(1000);
        if (omp_get_thread_num() == 1)
            send(31);
    }
    receive(32);

#pragma omp taskloop num_tasks(1) nogroup
    for (unsigned long long i = 0; i < 2; i++)
        if (i == 1)
            send(33);
    await(33);
#pragma omp taskwait
    receive(34);
}

static void exclusive(void)
{
#pragma omp task
#pragma omp critical
    send(41);
    await(41);
#pragma omp task if (0)
#pragma omp critical
    receive(42);
}

int main(int argc, char **argv)
{
    int provided, sum = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {
            waited_for();
            dependent();
            in_loops();
            exclusive();
#pragma omp task
            send(51);
            await(51);
        }
#pragma omp barrier
#pragma omp master
        receive(52);
#pragma omp barrier

        /* Each thread has an iteration, and thread 1 the task. */
#pragma omp for reduction(task, +: sum) schedule(static, 1)
        for (int i = 0; i < 2; i++)
            if (i == 0) {
#pragma omp task in_reduction(+: sum)
                {
                    send(53);
                    sum++;
                }
                await(53);
            }
#pragma omp master
        {
            receive(54);
#pragma omp task
            send(55);
            await(55);
        }
    }
    receive(56);
    MPI_Finalize();
    return sum == 1 ? 0 : 1;
}
