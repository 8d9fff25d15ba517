/* Threads whose neighbours are on another host: each gives its neighbour an element, takes one from it, and adds to a sum. */
#include <stdio.h>
#include <string.h>
#include <upc.h>

shared int ring[THREADS];
shared [64] double many[64 * THREADS];
shared int sum;
upc_lock_t *guard;

int main(int argc, char **argv)
{
    int wrong = argc > 1 && strcmp(argv[1], "wrong") == 0;
    int total = 0;
    guard = upc_all_lock_alloc();
    ring[(MYTHREAD + 1) % THREADS] = MYTHREAD;
    if (!wrong)
        upc_barrier;
    total += ring[MYTHREAD];
    upc_barrier;
    if (MYTHREAD == 0) {
        printf("all are there\n");
        fflush(stdout);
    }
    /* Here and there: more than the record of a thread has room for at a time. */
    for (long i = 0; i < (argc > 2 ? 6000000 : 60000); i++)
        many[64 * MYTHREAD + i * 7 % 61] = i;
    upc_barrier;
    upc_lock(guard);
    sum += total;
    upc_unlock(guard);
    upc_barrier;
    if (wrong)
        sum = total; /* all of them */
    upc_barrier;
    if (MYTHREAD == 0)
        printf("sum %d\n", sum);
    return 0;
}
