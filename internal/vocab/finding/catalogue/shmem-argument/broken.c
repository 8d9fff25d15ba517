/* The last PE has no right neighbour. */
#include <shmem.h>

static long left;

int main(void)
{
    shmem_init();
    shmem_long_p(&left, 7, shmem_my_pe() + 1);
    shmem_finalize();
    return 0;
}
