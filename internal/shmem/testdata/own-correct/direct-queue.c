/* PEs: any. Tickets of atomic calls say where a PE stores by shmem_ptr, and a counter that is changed by calls says what is there. */
#include "../direct/cases.h"

enum { EACH = 6 };

int main(void)
{
    start();
    long *next = ZEROED(1, sizeof *next), *done = ZEROED(1, sizeof *done), *items = ZEROED((size_t)(EACH * n), sizeof *items);
    for (int i = 0; i < EACH; i++) {
        const long slot = shmem_long_atomic_fetch_add(next, 1, 0);
        AT(items, 0)[slot] = 100 * me + i + 1;
        shmem_quiet();
        shmem_long_atomic_inc(done, 0);
    }
    int wrong = 0;
    if (me == 0) {
        shmem_long_wait_until(done, SHMEM_CMP_EQ, EACH * n);
        for (int i = 0; i < EACH * n; i++)
            wrong |= items[i] == 0;
    }
    shmem_barrier_all();
    shmem_finalize();
    return wrong;
}
