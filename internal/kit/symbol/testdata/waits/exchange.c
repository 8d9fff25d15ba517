#include <stdatomic.h>
#include <stdbool.h>
atomic_int owner;
static void enter(atomic_int *lock, int me)
{
    for (;;) {
        int nobody = 0;
        if (atomic_compare_exchange_strong(lock, &nobody, me))
            return;
    }
}
int main(int argc, char **argv)
{
    (void)argv;
    enter(&owner, argc);
    return 0;
}
