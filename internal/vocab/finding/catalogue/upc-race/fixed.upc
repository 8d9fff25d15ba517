/* Each thread reads its neighbour's element after all have written theirs. */
#include <stdio.h>
#include <upc.h>

shared int value[THREADS];

int main(void)
{
    value[MYTHREAD] = MYTHREAD;
    upc_barrier;
    printf("%d\n", value[(MYTHREAD + 1) % THREADS]);
    return 0;
}
