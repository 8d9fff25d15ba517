/* threads: 2; manifest: each point is the work of a function that has but short loops, which belong to the one around */
/* race 1: v[1][0], of thread 1 */
#include <upc.h>

enum { POINTS = 1000, TURNS = 200, EACH = 5 };
shared[POINTS * EACH] double v[THREADS][POINTS * EACH];

static void mix(double *p)
{
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++)
            p[i] += 0.001 * p[j]; /* race 1 */
}

int main(void)
{
    double *own = (double *)&v[MYTHREAD][0];
    for (int turn = 0; turn < TURNS; turn++)
        for (int k = 0; k < POINTS; k++)
            mix(own + k * EACH);
#ifdef FIXED
    upc_barrier;
#endif
    return MYTHREAD == 0 && v[1][0] < 0; /* race 1 */
}
