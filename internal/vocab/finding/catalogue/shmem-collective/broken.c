/* Each PE allocates what it needs itself, so the sizes differ. */
#include <shmem.h>

int main(void)
{
    shmem_init();
    size_t mine = 1000 + 10 * (size_t)shmem_my_pe();
    double *rows = shmem_malloc(mine * sizeof *rows);
    shmem_free(rows);
    shmem_finalize();
    return 0;
}
