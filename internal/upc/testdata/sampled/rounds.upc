/* threads: 3 */
/* A barrier of the program's own, in many rounds: data is handed over by a counter under a lock and by a strict flag. */
#include <upc_relaxed.h>

strict shared int sense;
shared int count, data[THREADS];
upc_lock_t *l;

static void meet(int now)
{
    upc_lock(l);
    int last = ++count == THREADS;
    if (last)
        count = 0;
    upc_unlock(l);
    if (last)
        sense = now;
    else
        while (sense != now)
            upc_fence;
}

int main(void)
{
    int sum = 0;
    l = upc_all_lock_alloc();
    for (int i = 0; i < 400; i++) {
        data[MYTHREAD] = i;
        meet(1);
        sum += data[(MYTHREAD + 1) % THREADS];
        meet(0);
    }
    return sum < 0;
}
