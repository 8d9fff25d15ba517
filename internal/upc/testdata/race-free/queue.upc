/* threads: 4 */
/* A bounded queue under a lock: two threads put in, two take out. */
#include <upc.h>

#define ITEMS 20
#define ROOM 4

shared [] int item[ROOM];
shared int first, count, sum;

int main(void)
{
    upc_lock_t *l = upc_all_lock_alloc();
    int left = ITEMS;
    while (left > 0) {
        upc_lock(l);
        if (MYTHREAD % 2 == 0 && count < ROOM) {
            item[(first + count) % ROOM] = left--;
            count++;
        } else if (MYTHREAD % 2 && count > 0) {
            sum += item[first];
            first = (first + 1) % ROOM;
            count--;
            left--;
        }
        upc_unlock(l);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(l);
    return sum != 2 * ITEMS * (ITEMS + 1) / 2;
}
