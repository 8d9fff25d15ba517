/* PEs: 2. Variables of a shared library are not symmetric; the program's own are. The argument says which one is put, and 2 is the program's. */
#include <shmem.h>
#include <stdlib.h>

long *variable(int which);
static long mine;
static volatile long sink;

int main(int argc, char **argv)
{
    shmem_init();
    const int which = argc > 1 ? atoi(argv[1]) : 2, me = shmem_my_pe();
    shmem_barrier_all();
    if (me == 0)
        shmem_long_p(which == 2 ? &mine : variable(which), 5, 1); /* put a */
    if (me == 1)
        sink = mine; /* put b */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
