/* A ticket lock made of two atomic counters guards numbers that are updated by get and put. */
#include <shmem.h>
#include <stdio.h>

enum { TURNS = 20, NUMBERS = 4 };

static int me, n;
static long next_ticket, now_serving; /* of PE 0 */
static long numbers[NUMBERS];         /* of the last PE */

static void acquire(void)
{
    long mine = shmem_long_atomic_fetch_inc(&next_ticket, 0);
    if (me == 0) /* the counter is here */
        shmem_long_wait_until(&now_serving, SHMEM_CMP_EQ, mine);
    else
        while (shmem_long_atomic_fetch(&now_serving, 0) != mine)
            ;
}

static void release(void)
{
    shmem_quiet();
    shmem_long_atomic_inc(&now_serving, 0);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    int bad = 0;
    long copy[NUMBERS];

    for (int t = 0; t < TURNS; t++) {
        acquire();
        shmem_long_get(copy, numbers, NUMBERS, n - 1);
        for (int i = 0; i < NUMBERS; i++)
            copy[i] += i + 1;
        shmem_long_put(numbers, copy, NUMBERS, n - 1);
        release();
    }
    shmem_barrier_all();
    shmem_long_get(copy, numbers, NUMBERS, n - 1);
    for (int i = 0; i < NUMBERS; i++)
        bad |= copy[i] != (i + 1L) * TURNS * n;
    if (bad)
        fprintf(stderr, "ticket: lost updates\n");
    shmem_finalize();
    return bad;
}
