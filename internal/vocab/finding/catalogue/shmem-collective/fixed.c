/* All PEs allocate what the largest part needs. */
#include <shmem.h>

int main(void)
{
    shmem_init();
    size_t most = 1000 + 10 * (size_t)(shmem_n_pes() - 1);
    double *rows = shmem_malloc(most * sizeof *rows);
    shmem_free(rows);
    shmem_finalize();
    return 0;
}
