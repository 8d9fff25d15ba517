/* threads: 3; manifest: a slot is claimed by a read and a write instead of one operation */
/* race 1: next, of thread 0 */
/* race 2: next, of thread 0 */
#include <upc.h>
#include <upc_atomic.h>

shared int next;
shared [] int slot[16];

int main(void)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_INC, 0);
    int mine;
#ifndef FIXED
    mine = next; /* race 1 */
    next = mine + 1; /* races 1, 2 */
#else
    upc_atomic_relaxed(d, &mine, UPC_INC, &next, 0, 0);
#endif
    upc_barrier;
    if (MYTHREAD == 0)
        slot[mine] = 1;
    upc_barrier;
    upc_all_atomicdomain_free(d);
    return 0;
}
