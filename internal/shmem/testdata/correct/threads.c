/* Threads of each PE put to parts of the next one, which all of them complete; then they read what came. Another thread completes what one has put. */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>

enum { THREADS = 4, WORDS = 16, STEPS = 4 };

static long inbox[THREADS * WORDS], note, flag, errors;
static int me, n, step;
static pthread_barrier_t all;

static void *works(void *number)
{
    const int t = *(int *)number;
    for (int i = 0; i < WORDS; i++)
        shmem_long_p(&inbox[WORDS * t + i], 1000 * me + step, (me + 1) % n);
    shmem_quiet();
    if (pthread_barrier_wait(&all) == PTHREAD_BARRIER_SERIAL_THREAD)
        shmem_barrier_all();
    pthread_barrier_wait(&all);
    for (int i = 0; i < WORDS; i++)
        if (shmem_long_g(&inbox[WORDS * t + i], me) != 1000 * ((me + n - 1) % n) + step)
            shmem_long_atomic_inc(&errors, 0);
    return NULL;
}

static void *writes(void *unused)
{
    shmem_long_p(&note, 7, n - 1);
    return unused;
}

static void *completes(void *unused)
{
    shmem_quiet();
    shmem_long_p(&flag, 1, n - 1);
    return unused;
}

static void run(int threads, void *(*does)(void *))
{
    pthread_t t[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < threads; i++) {
        numbers[i] = i;
        pthread_create(&t[i], NULL, does, &numbers[i]);
    }
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
}

int main(void)
{
    int provided;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    me = shmem_my_pe();
    n = shmem_n_pes();
    pthread_barrier_init(&all, NULL, THREADS);
    for (step = 0; step < STEPS; step++) {
        run(THREADS, works);
        shmem_barrier_all();
    }
    if (me == 0) {
        run(1, writes);
        run(1, completes);
    }
    if (me == n - 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        if (shmem_long_g(&note, me) != 7)
            shmem_long_atomic_inc(&errors, 0);
    }
    shmem_barrier_all();
    if (me == 0)
        printf("%ld errors\n", errors);
    shmem_finalize();
    return 0;
}
