/* PEs: 2. Objects of C++ that are reached by shmem_ptr. */
#include <algorithm>
#include <shmem.h>
#include <stdlib.h>

#ifdef FIXED
#define BARRIER shmem_barrier_all()
#else
#define BARRIER (void)0
#endif

namespace {

int me;
volatile double sink;

template <typename T> T &at(T *mine, int pe)
{
    void *there = shmem_ptr(mine, pe);
    if (!there)
        abort();
    return *static_cast<T *>(there);
}

struct account {
    double balance;
    long changes;
    void pay(double sum)
    {
        balance += sum; /* pay a */
        changes++;
    }
};

void case_pay()
{
    account *mine = static_cast<account *>(shmem_calloc(1, sizeof *mine));
    shmem_barrier_all();
    if (me == 0)
        at(mine, 1).pay(3);
    BARRIER;
    if (me == 1)
        sink = mine->balance; /* pay b */
    shmem_free(mine);
}

void case_fill()
{
    int *mine = static_cast<int *>(shmem_calloc(32, sizeof *mine));
    shmem_barrier_all();
    if (me == 1) {
        int *there = &at(mine, 0);
        std::fill(there, there + 32, 4); /* fill a */
    }
    BARRIER;
    int sum = 0;
    for (int i = 0; i < 32 && me == 0; i++)
        sum += mine[i]; /* fill b */
    sink = sum;
    shmem_free(mine);
}

} // namespace

int main()
{
    shmem_init();
    me = shmem_my_pe();
    shmem_barrier_all();
    case_pay();
    shmem_barrier_all();
    case_fill();
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
