/* Each PE waits for its neighbour's flag before it sets the next one's, so nobody sets any. */
#include <shmem.h>

static int flag;

int main(void)
{
    shmem_init();
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
    shmem_int_p(&flag, 1, next);
    shmem_finalize();
    return 0;
}
