/* threads: 2; manifest: thread 0 sets what all take for set */
/* race 1: ready, of thread 0 */
#include <upc.h>

shared int ready;

int main(void)
{
    int seen;
    if (MYTHREAD == 0)
        ready = 1; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    seen = ready; /* race 1 */
    return seen > 1;
}
