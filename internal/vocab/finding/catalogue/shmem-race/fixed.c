/* The fence makes the flag arrive after the data. */
#include <shmem.h>

static long data, flag, copy;

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_long_p(&data, 7, 1);
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
    } else if (shmem_my_pe() == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_long_put(&copy, &data, 1, 0);
    }
    shmem_finalize();
    return 0;
}
