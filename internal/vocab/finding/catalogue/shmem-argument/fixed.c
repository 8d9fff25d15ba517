/* All but the last PE put to their right neighbour. */
#include <shmem.h>

static long left;

int main(void)
{
    shmem_init();
    if (shmem_my_pe() + 1 < shmem_n_pes())
        shmem_long_p(&left, 7, shmem_my_pe() + 1);
    shmem_finalize();
    return 0;
}
