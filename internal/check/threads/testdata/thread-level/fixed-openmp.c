/* run: -n 2 */
/* Threads of OpenMP call MPI by turns: what keeps them apart is a barrier, the end of a region, a loop, a critical or an ordered part, or a lock. */
#include <mpi.h>
#include <omp.h>

static void sum(void)
{
    int mine = 1, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int provided, a[16] = {0};
    omp_lock_t lock;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    omp_init_lock(&lock);
    omp_set_num_threads(3);
    for (int r = 0; r < 3; r++) {
#pragma omp parallel
        if (omp_get_thread_num() == r)
            sum();
        sum();
    }
#pragma omp parallel
    {
        for (int i = 0; i < 6; i++) {
            if (omp_get_thread_num() == i % 3)
                sum();
#pragma omp barrier
        }
#pragma omp single
        sum();
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 16; i++)
            a[i] = i;
        if (omp_get_thread_num() == 1)
            sum();
#pragma omp sections
        {
#pragma omp section
            a[0] = 1;
#pragma omp section
            a[1] = 2;
        }
    }
#pragma omp parallel
    {
        for (int i = 0; i < 4; i++) {
#pragma omp critical
            sum();
        }
#pragma omp barrier
        for (int i = 0; i < 4; i++) {
            omp_set_lock(&lock);
            sum();
            omp_unset_lock(&lock);
        }
    }
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 9; i++) {
#pragma omp ordered
        sum();
    }
#pragma omp parallel
    {
        int got;
#pragma omp single copyprivate(got)
        {
            sum();
            got = 1;
        }
        if (omp_get_thread_num() == 2 && got)
            sum();
    }
    MPI_Finalize();
    return 0;
}
