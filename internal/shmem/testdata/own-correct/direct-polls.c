/* PEs: any. Volatile flags in the memory of another PE, and in the PE's own that another one stores to, without a call between. */
#include "../direct/cases.h"
#include <unistd.h>

enum { STEPS = 16, MANY = 24 };

int main(void)
{
    start();
    const int to = (me + 1) % n, from = (me + n - 1) % n;
    long *data = ZEROED(MANY, sizeof *data), sum = 0;
    volatile long *flag = ZEROED(1, sizeof *flag), *ready = ZEROED(1, sizeof *ready);
    long *there = AT(data, to), *source = ZEROED(MANY, sizeof *source), *other = AT(source, from);
    volatile long *set = AT(flag, to), *asked = AT(ready, from), *answer = ZEROED(1, sizeof *answer), *answered = AT(answer, to);
    for (int i = 1; i <= STEPS; i++) {
        for (int k = 0; k < MANY; k++)
            there[k] = i + k; /* to the memory of one */
        *set = i;
        while (*flag != i)
            usleep(100);
        for (int k = 0; k < MANY; k++)
            sum += data[k];
        for (int k = 0; k < MANY; k++)
            source[k] = i * k; /* that another one loads */
        *ready = i;
        while (*asked != i)
            usleep(100);
        for (int k = 0; k < MANY; k++)
            sum += other[k];
        *answer = i; /* it has taken both: its own data, and what the one before it has stored */
        while (*answered < i || *AT(answer, from) < i)
            usleep(100);
        if (i % 5 == 0)
            shmem_barrier_all();
    }
    shmem_barrier_all();
    const int wrong = sum == 0;
    shmem_finalize();
    return wrong;
}
