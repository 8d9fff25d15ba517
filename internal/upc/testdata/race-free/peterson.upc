/* threads: 2 */
/* Peterson's algorithm keeps two threads apart with strict reads and writes only. */
#include <upc.h>

strict shared int wants[THREADS], turn;
shared int total;

int main(void)
{
    int other = 1 - MYTHREAD;
    for (int i = 0; i < 10; i++) {
        wants[MYTHREAD] = 1;
        turn = other;
        while (wants[other] && turn == other)
            ;
        total++;
        wants[MYTHREAD] = 0;
    }
    upc_barrier;
    return total != 20;
}
