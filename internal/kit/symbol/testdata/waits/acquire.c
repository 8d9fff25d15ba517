#include <stdatomic.h>
atomic_int full;
int main(void)
{
    while (!atomic_load_explicit(&full, memory_order_acquire))
        ;
    return 0;
}
