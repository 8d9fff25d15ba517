/*
 * Whether perm of upc_all_permute names a thread twice. Each thread claims the one that it names, in that one's memory,
 * by two steps of which a second thread can always see one (the splitter of Lamport's fast mutual exclusion, ACM TOCS
 * 1987): nobody who is alone is stopped, and of several at most one is not. The cost does not depend on the number of
 * threads.
 */
#include "upck_args.h"

enum { UPCK_CLAIMS = 64, UPCK_THREAD_BITS = 20 };

static strict shared[UPCK_CLAIMS] unsigned long upck_named[UPCK_CLAIMS * THREADS];
static strict shared[UPCK_CLAIMS] unsigned long upck_claimed[UPCK_CLAIMS * THREADS];

/* Who else has this element, or -1. It is looked for only if somebody has. */
static int upck_namesake(shared const int *perm, int target)
{
    for (int t = 0; t < THREADS; t++)
        if (t != MYTHREAD && perm[t] == target)
            return t;
    return -1;
}

int upck_twice(shared const int *perm, int target)
{
    unsigned long n = upck_number(), mine = n << UPCK_THREAD_BITS | (unsigned long)MYTHREAD;
    if (!perm || target < 0 || target >= THREADS)
        return -1;
    size_t claim = (size_t)target * UPCK_CLAIMS + n % UPCK_CLAIMS;
    upck_named[claim] = mine;
    if (upck_claimed[claim] == n)
        return upck_namesake(perm, target);
    upck_claimed[claim] = n;
    unsigned long last = upck_named[claim];
    return last == mine || last >> UPCK_THREAD_BITS != n ? -1 : (int)(last & ((1UL << UPCK_THREAD_BITS) - 1));
}
