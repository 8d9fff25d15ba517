/* threads: 2; any: only the order in which the threads took the lock kept the two accesses apart */
/* race 1: x, of thread 0 */
#include <upc.h>

shared int x;
strict shared int turn;

int main(void)
{
    upc_lock_t *l = upc_all_lock_alloc();
    shared int *unused = upc_all_alloc(THREADS, sizeof(int));
    if (MYTHREAD == 0) {
        x = 1; /* race 1 */
        upc_lock(l);
        unused[0] = 1;
        upc_unlock(l);
        unused[0] = 2;
    }
    if (MYTHREAD == 1) {
        /* The lock is free only then: nobody else takes it. */
        int taken = 0;
        while (!taken) {
            upc_lock(l);
            taken = 1;
            upc_unlock(l);
        }
    }
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 1)
        x = 2; /* race 1 */
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(l);
    return 0;
}
