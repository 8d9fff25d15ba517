/* The lock is cleared by PEs that did not get it, too. */
#include <shmem.h>

static long lock;

int main(void)
{
    shmem_init();
    if (shmem_test_lock(&lock) == 0) {
        /* work that one PE at a time may do */
    }
    shmem_clear_lock(&lock);
    shmem_finalize();
    return 0;
}
