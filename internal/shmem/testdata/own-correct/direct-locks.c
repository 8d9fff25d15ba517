/* PEs: any. Memory of PE 0 that all change under a lock, of the library and of POSIX threads. */
#include "../direct/cases.h"
#include <pthread.h>

struct shared {
    pthread_mutex_t mutex;
    long sum, parts[16];
};

int main(void)
{
    static long lock;
    start();
    struct shared *mine = ZEROED(1, sizeof *mine);
    long *total = ZEROED(1, sizeof *total);
    if (me == 0) {
        pthread_mutexattr_t shared;
        pthread_mutexattr_init(&shared);
        pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
        pthread_mutex_init(&mine->mutex, &shared);
    }
    shmem_barrier_all();
    struct shared *first = AT(mine, 0);
    for (int i = 0; i < 8; i++) {
        shmem_set_lock(&lock);
        *AT(total, 0) += me;
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&first->mutex);
        first->sum += 1;
        first->parts[i % 16] += me;
        pthread_mutex_unlock(&first->mutex);
    }
    shmem_barrier_all();
    const int wrong = first->sum != 20 * n || *AT(total, 0) != 4 * n * (n - 1);
    shmem_barrier_all();
    shmem_finalize();
    return wrong;
}
