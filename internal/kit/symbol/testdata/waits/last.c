#include <stdatomic.h>
#include <stdio.h>
atomic_int left = 4;
int main(void)
{
    if (atomic_fetch_sub(&left, 1) == 1)
        puts("all have come");
    return 0;
}
