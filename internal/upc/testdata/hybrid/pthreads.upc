/* threads: 2; manifest: a UPC thread reads what POSIX threads of the other one write */
/* flags: -pthread */
/* race 1: a[0][0], of thread 0 */
#include <pthread.h>
#include <upc.h>

#define N 400
#define WORKERS 3

shared[N] int a[THREADS][N];

/* A part of a UPC thread's row, by a pointer-to-local, which the POSIX threads of the process share. */
struct part {
    int *from, count;
};

static void *fill(void *argument)
{
    const struct part *p = argument;
    for (int i = 0; i < p->count; i++)
        p->from[i] = i; /* race 1 */
    return NULL;
}

int main(void)
{
    pthread_t worker[WORKERS];
    struct part part[WORKERS];
    int *mine = (int *)a[MYTHREAD], wrong = 0;
    for (int w = 0; w < WORKERS; w++) {
        part[w] = (struct part){mine + w * (N / WORKERS), N / WORKERS};
        if (pthread_create(&worker[w], NULL, fill, &part[w]) != 0)
            return 1;
    }
    for (int w = 0; w < WORKERS; w++)
        pthread_join(worker[w], NULL);
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 1)
        for (int i = 0; i < N / WORKERS; i++)
            wrong += a[0][i] > i; /* race 1 */
    upc_barrier;
    return wrong;
}
