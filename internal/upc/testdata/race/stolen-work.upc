/* threads: 3; manifest: a counter of work is looked at without its lock */
/* race 1: left[0], of thread 0 */
#include <upc.h>

#define N 4

shared int left[THREADS];
shared int done[THREADS];

int main(void)
{
    upc_lock_t *l = upc_all_lock_alloc();
    int seen = 0;
    left[MYTHREAD] = N;
    upc_barrier;
    if (MYTHREAD == 2) {
#ifdef FIXED
        upc_lock(l);
#endif
        seen = left[0]; /* race 1 */
#ifdef FIXED
        upc_unlock(l);
#endif
    } else {
        for (int k = 0; k < THREADS; k++) {
            int victim = (MYTHREAD + k) % THREADS, got = 1;
            while (got) {
                upc_lock(l);
                got = left[victim] > 0;
                if (got)
                    left[victim] -= 1; /* race 1 */
                upc_unlock(l);
                done[MYTHREAD] += got;
            }
        }
    }
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(l);
    return seen > N;
}
