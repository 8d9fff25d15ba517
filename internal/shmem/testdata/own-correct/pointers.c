/* PEs: any. Memory of a neighbour by shmem_ptr, where that is given, with barriers. */
#include "../races/cases.h"

static long data[8];

int main(void)
{
    start();
    const int to = (me + 1) % n, from = (me + n - 1) % n;
    long *block = shmem_malloc(8 * sizeof *block);
    for (int i = 0; i < 8; i++)
        block[i] = data[i] = me;
    shmem_barrier_all();
    long *there = shmem_ptr(block, to);
    for (int i = 0; i < 8; i++)
        if (there)
            there[i] = 10 * me;
        else
            shmem_long_p(&block[i], 10 * me, to);
    shmem_barrier_all();
    const int wrong = block[5] != 10 * from || data[2] != me;
    shmem_barrier_all();
    shmem_free(block);
    shmem_finalize();
    return wrong;
}
