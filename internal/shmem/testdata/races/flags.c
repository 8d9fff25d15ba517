/* PEs: 3. Data that is handed over by a flag. */
#include "cases.h"

/* The flag may arrive before the data. */
static void case_no_fence(void)
{
    static long data[4], flag;
    long mine[4] = {1, 2, 3, 4};
    if (me == 0) {
        shmem_long_put(data, mine, 4, 1); /* no_fence a */
        FENCE;
        shmem_long_p(&flag, 1, 1);
    } else if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_long_get(mine, data, 4, 1); /* no_fence b */
    }
}

/* A fence orders what goes to one PE, not the data for one and the flag for another. */
static void case_other_pe(void)
{
    static long data, flag;
    if (n < 3)
        return;
    if (me == 0) {
        shmem_long_p(&data, 1, 1); /* other_pe a */
#ifdef FIXED
        shmem_quiet();
#else
        shmem_fence();
#endif
        shmem_long_p(&flag, 1, 2);
    } else if (me == 2) {
        shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0);
        (void)shmem_long_g(&data, 1); /* other_pe b */
    }
}

/* The flag is sent first. */
static void case_flag_first(void)
{
    static int data, flag;
    if (me == 0) {
#ifndef FIXED
        shmem_int_p(&flag, 1, 1);
        shmem_fence();
#endif
        shmem_int_p(&data, 1, 1); /* flag_first a */
#ifdef FIXED
        shmem_fence();
        shmem_int_p(&flag, 1, 1);
#endif
    } else if (me == 1) {
        shmem_int_wait_until(&flag, SHMEM_CMP_GT, 0);
        (void)shmem_int_g(&data, 1); /* flag_first b */
    }
}

/* PE 2 sets the flag, and does not know how far PE 0 is with the data. */
static void case_other_sender(void)
{
    static double data;
    static int flag;
    if (n < 3)
        return;
    if (me == 0) {
        shmem_double_p(&data, 1, 1); /* other_sender a */
#ifdef FIXED
        shmem_quiet();
        shmem_int_p(&flag, 1, 2);
#endif
    } else if (me == 2) {
#ifdef FIXED
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
#endif
        shmem_int_p(&flag, 1, 1);
    } else if (me == 1) {
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
        (void)shmem_double_g(&data, 1); /* other_sender b */
    }
}

/* The next data is sent before the first has been read. */
static void case_no_answer(void)
{
    static long data, flag;
#ifdef FIXED
    static long answer;
#endif
    if (me == 0) {
        shmem_long_p(&data, 1, 1);
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
#ifdef FIXED
        shmem_long_wait_until(&answer, SHMEM_CMP_EQ, 1);
#endif
        shmem_long_p(&data, 2, 1); /* no_answer a */
    } else if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        (void)shmem_long_g(&data, 1); /* no_answer b */
#ifdef FIXED
        shmem_long_p(&answer, 1, 0);
#endif
    }
}

/* The second part is sent after the flag. */
static void case_second_part(void)
{
    static long data[2], flag;
    long to[2];
    if (me == 0) {
        shmem_long_p(&data[0], 1, 1);
#ifdef FIXED
        shmem_long_p(&data[1], 1, 1);
#endif
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
#ifndef FIXED
        shmem_long_p(&data[1], 1, 1); /* second_part a */
#endif
    } else if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_long_get(to, data, 2, 1); /* second_part b */
    }
}

/* The flag is a counter. */
static void case_counter(void)
{
    static long data, count;
    if (me == 0) {
        shmem_long_p(&data, 1, 1); /* counter a */
        FENCE;
        shmem_long_atomic_inc(&count, 1);
    } else if (me == 1) {
        shmem_long_wait_until(&count, SHMEM_CMP_GE, 1);
        (void)shmem_long_g(&data, 1); /* counter b */
    }
}

/* The data is sent on as soon as a counter has its value; an operation that gives the old value completes no put. */
static void case_sent_on(void)
{
    static long data[4], on[4], count;
    long mine[4] = {0};
    if (me == 0) {
        shmem_long_put(data, mine, 4, 1); /* sent_on a */
        QUIET;
        (void)shmem_long_atomic_fetch_inc(&count, 1);
    } else if (me == 1) {
        if (!shmem_long_test(&count, SHMEM_CMP_GE, 1))
            shmem_long_wait_until(&count, SHMEM_CMP_GE, 1);
        shmem_long_put(on, data, 4, 1); /* sent_on b */
    }
}

/* The data goes to PE 2, a flag to PE 1, which tells PE 2. */
static void case_chain(void)
{
    static long data, flag;
    if (n < 3)
        return;
    if (me == 0) {
        shmem_long_p(&data, 1, 2); /* chain a */
        QUIET;
        shmem_long_p(&flag, 1, 1);
    } else if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_long_p(&flag, 1, 2);
    } else if (me == 2) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        (void)shmem_long_g(&data, 2); /* chain b */
    }
}

/* shmem_sync_all is no barrier for puts. */
static void case_sync_all(void)
{
    static long data;
    if (me == 0)
        shmem_long_p(&data, 1, 1); /* sync_all a */
    QUIET;
    shmem_sync_all();
    if (me == 1)
        (void)shmem_long_g(&data, 1); /* sync_all b */
}

int main(void)
{
    start();
    run(case_no_fence);
    run(case_other_pe);
    run(case_flag_first);
    run(case_other_sender);
    run(case_no_answer);
    run(case_second_part);
    run(case_counter);
    run(case_sent_on);
    run(case_chain);
    run(case_sync_all);
    shmem_finalize();
    return 0;
}
