/* PEs: 4. The same in C++: members, vectors in symmetric memory, lambdas and templates. */
#include "../races/cases.h"
#include <new>

static volatile long sink;

struct cell {
    double value;
    int next[3];
    void set(double v) { value = v; /* member b */ }
};

/* A member function stores. */
static void case_member()
{
    static cell c;
    if (me == 0)
        shmem_double_p(&c.value, 1, 1); /* member a */
    BARRIER;
    if (me == 1)
        c.set(2);
}

template <class T> static T sum(const T *from, const T *to)
{
    T s = 0;
    for (; from != to; ++from)
        s += *from; /* template b */
    return s;
}

/* A template goes through a block. */
static void case_template()
{
    int *v = static_cast<int *>(shmem_malloc(64 * sizeof(int)));
    int from[64] = {};
    if (me == 0)
        shmem_int_put(v, from, 64, 2); /* template a */
    BARRIER;
    if (me == 2)
        sink = sink + sum(v, v + 64);
    shmem_free(v);
}

/* An object is made where a get reads. */
static void case_object()
{
    static cell c;
    cell mine;
    if (me == 3)
        new (&c) cell{5, {1, 2, 3}}; /* object b */
    BARRIER;
    if (me == 0) {
        shmem_getmem(&mine, &c, sizeof mine, 3); /* object a */
        sink = sink + mine.next[0];
    }
}

/* A lambda changes what is sent. */
static void case_lambda()
{
    static long to[2];
    long from[2] = {1, 2};
    auto change = [&] { from[1] = 3; /* lambda b */ };
    if (me == 0) {
        shmem_long_put_nbi(to, from, 2, 1); /* lambda a */
        QUIET;
        change();
    }
    sink = sink + from[1];
}

int main()
{
    start();
    run(case_member);
    run(case_template);
    run(case_object);
    run(case_lambda);
    shmem_finalize();
    return 0;
}
