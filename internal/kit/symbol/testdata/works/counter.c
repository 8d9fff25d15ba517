#include <stdatomic.h>
atomic_long calls;
double sum;
int main(int argc, char **argv)
{
    (void)argv;
    atomic_fetch_add(&calls, 1);
#pragma omp atomic
    sum += argc;
    int old = argc, new;
    static int largest;
    do {
        new = old > argc ? old : argc;
    } while (!__atomic_compare_exchange_n(&largest, &old, new, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return 0;
}
