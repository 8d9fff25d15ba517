/* threads: 3; manifest: in every seventh round another thread writes what is read */
/* race 1: slot[0], of thread 0 */
#include <upc.h>

shared int slot[THREADS];

int main(void)
{
    int sum = 0;
    for (int round = 0; round < 40; round++) {
        slot[MYTHREAD] = round;
        upc_barrier;
        if (MYTHREAD == 2 && round % 7 == 3)
#ifdef FIXED
            slot[2] = -1;
#else
            slot[0] = -1; /* race 1 */
#endif
        else
            sum += slot[MYTHREAD]; /* race 1 */
        upc_barrier;
    }
    return sum < 0;
}
