/* run: -n 2 */
/* Tasks call collectives on one communicator one after the other, as each depends on the last one, or the group or loop that it is in is waited for. */
#include <mpi.h>

static void sum(void)
{
    int mine = 1, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int provided, turn = 0;
    (void)turn;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout: turn)
            sum();
        }
#pragma omp taskwait
        for (int i = 0; i < 10; i++) {
#pragma omp taskgroup
            {
#pragma omp task
#pragma omp task
                sum();
            }
            MPI_Barrier(MPI_COMM_WORLD);
        }
        for (int i = 0; i < 10; i++) {
#pragma omp taskloop num_tasks(3)
            for (int k = 0; k < 3; k++)
                if (k == i % 3)
                    sum();
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    sum();
    MPI_Finalize();
    return 0;
}
