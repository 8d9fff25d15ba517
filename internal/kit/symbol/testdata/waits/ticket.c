#include <stdatomic.h>
atomic_uint next, serving;
int main(void)
{
    unsigned mine = atomic_fetch_add(&next, 1);
    while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
        ;
    return 0;
}
