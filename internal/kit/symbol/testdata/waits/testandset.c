#include <stdatomic.h>
atomic_flag taken = ATOMIC_FLAG_INIT;
int main(void)
{
    while (atomic_flag_test_and_set(&taken))
        ;
    return 0;
}
