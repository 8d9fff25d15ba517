/* PEs: any. Each PE has slots of its own in everybody's memory, and blocks come and go. Calls and shmem_ptr are mixed. */
#include "../direct/cases.h"

int main(void)
{
    start();
    int wrong = 0;
    for (int round = 0; round < 12; round++) {
        int *slots = ZEROED((size_t)(2 * n + 3), sizeof *slots);
        for (int pe = 0; pe < n; pe++) {
            AT(slots, pe)[2 * me] = round;
            shmem_int_p(&slots[2 * me + 1], me, pe);
        }
        shmem_barrier_all();
        for (int pe = 0; pe < n; pe++)
            wrong |= slots[2 * pe] != round || slots[2 * pe + 1] != pe || AT(slots, pe)[2 * me + 1] != me;
        shmem_free(slots);
    }
    shmem_finalize();
    return wrong;
}
