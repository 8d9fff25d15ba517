/* reported: openucx/ucx 2691, each PE clears its table of host names while others put theirs into it already */
/* by: unknot -O1 */
/* only: openmpi */
#include <shmem.h>
#include <string.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    char name[16] = "host", (*names)[16] = shmem_malloc(n * sizeof *names);
    memset(names, 0, n * sizeof *names); /* want: shmem-race: writes it itself */
    for (int pe = 0; pe < n; pe++)
        shmem_putmem(names[me], name, sizeof name, pe);
    shmem_barrier_all();
    shmem_free(names);
    shmem_finalize();
    return 0;
}
