/* threads: 2 static; manifest: random updates of a table meet now and then */
/* race 1: table[0], of thread 0 */
#include <upc.h>

#define N 16

shared unsigned table[N];

int main(void)
{
    unsigned x = 7 + MYTHREAD;
    for (int i = 0; i < 100; i++) {
        x = x * 1664525 + 1013904223;
#ifndef FIXED
        table[(x >> 16) % N] ^= x; /* race 1 */
#else
        table[(x >> 16) % (N / 2) * 2 + MYTHREAD] ^= x;
#endif
    }
    return 0;
}
