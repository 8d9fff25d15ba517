/* threads: 2 */
/* A short loop that is entered often, each time with other elements. */
#include <upc.h>

#define TIMES 400

shared int table[TIMES * THREADS];

static int pair(shared int *from)
{
    int all = 0;
    for (int i = 0; i < THREADS; i++)
        all += from[i];
    return all;
}

int main(void)
{
    int all = 0;
    for (int i = 0; i < TIMES; i++)
        all += pair(&table[i * THREADS]);
    return all < 0;
}
