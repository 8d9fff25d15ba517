/* threads: 2; manifest: the second caller of a loop reads what is written */
/* race 1: slot[0], of thread 0 */
#include <upc.h>

shared int slot[THREADS], calm[THREADS];

static int sum(shared int *from)
{
    int all = 0;
    for (int i = 0; i < THREADS; i++)
        all += from[i]; /* race 1 */
    return all;
}

static int first(void)
{
    return sum(calm);
}

static int second(void)
{
    return sum(slot);
}

int main(void)
{
    int all = 0;
    for (int i = 0; i < 400; i++)
        all += first();
    upc_barrier;
    if (MYTHREAD == 0)
        slot[0] = 1; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    all += second();
    return all < 0;
}
