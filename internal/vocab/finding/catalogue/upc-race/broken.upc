/* Each thread reads its neighbour's element, which may not be written yet. */
#include <stdio.h>
#include <upc.h>

shared int value[THREADS];

int main(void)
{
    value[MYTHREAD] = MYTHREAD;
    printf("%d\n", value[(MYTHREAD + 1) % THREADS]);
    return 0;
}
