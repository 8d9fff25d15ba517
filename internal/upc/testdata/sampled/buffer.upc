/* threads: 2 */
/* A buffer with few places: who finds none full or empty takes the lock again, up to hundreds of times. */
#include <upc.h>

#define PLACES 4

shared int first, last;
shared [PLACES] double place[THREADS][PLACES];
upc_lock_t *l;

int main(void)
{
    double sum = 0;
    l = upc_all_lock_alloc();
    for (int i = 0; i < 500;) {
        upc_lock(l);
        int here = MYTHREAD == 0 ? last : first, can = MYTHREAD == 0 ? last - first < PLACES : last > first;
        upc_unlock(l);
        if (!can)
            continue;
        if (MYTHREAD == 0)
            place[0][here % PLACES] = i;
        else
            sum += place[0][here % PLACES];
        upc_lock(l);
        if (MYTHREAD == 0)
            last++;
        else
            first++;
        upc_unlock(l);
        i++;
    }
    return sum < 0;
}
