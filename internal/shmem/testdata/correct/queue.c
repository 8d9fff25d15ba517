/* Work that is given out by a counter: each PE takes the next tasks, a few at a time, and puts the results to where they belong. */
#include <shmem.h>
#include <stdio.h>

enum { TASKS = 200, CHUNK = 4 };

static long taken, done;      /* of PE 0 */
static unsigned long result[TASKS]; /* task t belongs to PE t modulo their number */

static unsigned long solve(long task)
{
    unsigned long x = (unsigned long)task * 2654435761u + 12345;
    for (int i = 0; i < 1000; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    return x;
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    for (;;) {
        long first = shmem_long_atomic_fetch_add(&taken, CHUNK, 0);
        if (first >= TASKS)
            break;
        for (long t = first; t < first + CHUNK; t++)
            shmem_ulong_p(&result[t], solve(t), (int)(t % n));
        shmem_quiet();
        shmem_long_atomic_add(&done, CHUNK, 0);
    }
    if (me == 0) {
        shmem_long_wait_until(&done, SHMEM_CMP_EQ, TASKS);
        for (long t = 0; t < TASKS; t++)
            bad |= shmem_ulong_g(&result[t], (int)(t % n)) != solve(t);
    }
    if (bad)
        fprintf(stderr, "queue: wrong results\n");
    shmem_finalize();
    return bad;
}
