/* PEs: any. Atomic operations of the language on another PE's memory: a counter, a lock, and a flag with data behind it. */
#include <atomic>
#include <unistd.h>
#include <shmem.h>
#include <stdlib.h>

namespace {

struct shared {
    std::atomic<int> locked, count, turn;
    long total, rows[64];
};

template <typename T> T *at(T *mine, int pe)
{
    void *there = shmem_ptr(mine, pe);
    if (!there)
        abort();
    return static_cast<T *>(there);
}

} // namespace

int main()
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    shared *mine = static_cast<shared *>(shmem_calloc(1, sizeof *mine));
    shmem_barrier_all();
    shared *first = at(mine, 0);
    for (int i = 0; i < 10; i++) {
        while (first->locked.exchange(1, std::memory_order_acquire))
            usleep(100);
        first->total += me + 1;
        first->locked.store(0, std::memory_order_release);
        first->count.fetch_add(1);
    }
    while (first->count.load() != 10 * n)
        usleep(100);
    const bool wrong = first->total != 10L * n * (n + 1) / 2;
    for (int i = 0; i < 64; i++)
        if (i % n == me)
            first->rows[i] = i;
    if (me + 1 < n) {
        at(mine, me + 1)->turn.store(1, std::memory_order_release);
    }
    while (me > 0 && mine->turn.load(std::memory_order_acquire) == 0)
        usleep(100);
    shmem_barrier_all();
    long sum = 0;
    for (int i = 0; i < 64; i++)
        sum += first->rows[i];
    shmem_finalize();
    return wrong || sum != 63 * 32;
}
