// What orders threads in OpenMP as GCC compiles it: parallel regions, barriers, critical, atomic and ordered parts,
// copyprivate and locks, by the functions of libgomp that compiled code calls. Programs that have tasks, or that another
// compiler's library runs, are not followed (ordering.c).
//
// Runs: wherever the program calls these.
//
// Never: changes what the program gets; does anything where the order of the thread is not followed.
#define _GNU_SOURCE
#include "process/order.h"
#include "writer/lock.h"

// A team: the threads of a parallel region, which is on the stack of the one that has begun it.
struct team {
    void (*run)(void *);
    void *data;
    uk_lock_t lock;
    bool counted;
    struct uk_clock begin, end;
};

static __thread struct team *team __attribute__((tls_model("initial-exec")));

static unsigned team_size(void)
{
    static void *real;
    int (*ask)(void) = (int (*)(void))uk_behind(&real, "omp_get_num_threads");
    return ask ? (unsigned)ask() : 0;
}

UK_BETWEEN static void member(void *of)
{
    struct team *mine = of, *outer = team;
    team = mine;
    uk_order_takes_from(&mine->begin);
    uk_lock(&mine->lock);
    if (!mine->counted)
        uk_order_barrier(mine, team_size());
    mine->counted = true;
    uk_unlock(&mine->lock);
    mine->run(mine->data);
    uk_lock(&mine->lock);
    uk_order_gives_to(&mine->end);
    uk_unlock(&mine->lock);
    team = outer;
}

// REGION(type, function, parameters between data and the end, how they are passed, what to do with the result)
#define REGION(type, name, params, args, keep, result)      \
    UK_API type name params;                                \
    UK_BETWEEN type name params                             \
    {                                                       \
        static void *real;                                  \
        struct team t = {.run = run, .data = data};         \
        const bool followed = uk_order_followed();          \
        if (followed) {                                     \
            uk_order_gives_to(&t.begin);                    \
            run = member;                                   \
            data = &t;                                      \
        }                                                   \
        keep((type(*) params)uk_behind(&real, #name)) args; \
        if (followed)                                       \
            uk_order_takes_from(&t.end);                    \
        result;                                             \
    }

typedef void (*body)(void *);

REGION(void, GOMP_parallel, (body run, void *data, unsigned n, unsigned flags), (run, data, n, flags), , )
REGION(unsigned, GOMP_parallel_reductions, (body run, void *data, unsigned n, unsigned flags), (run, data, n, flags),
       const unsigned rc =, return rc)
REGION(void, GOMP_parallel_sections, (body run, void *data, unsigned n, unsigned count, unsigned flags),
       (run, data, n, count, flags), , )

#define CHUNKS(name)                                                                                            \
    REGION(void, name, (body run, void *data, unsigned n, long from, long to, long by, long chunk, unsigned f), \
           (run, data, n, from, to, by, chunk, f), , )
#define LOOP(name)                                                                                  \
    REGION(void, name, (body run, void *data, unsigned n, long from, long to, long by, unsigned f), \
           (run, data, n, from, to, by, f), , )
CHUNKS(GOMP_parallel_loop_static)
CHUNKS(GOMP_parallel_loop_dynamic)
CHUNKS(GOMP_parallel_loop_guided)
CHUNKS(GOMP_parallel_loop_nonmonotonic_dynamic)
CHUNKS(GOMP_parallel_loop_nonmonotonic_guided)
LOOP(GOMP_parallel_loop_runtime)
LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

// What all threads of a team wait for each other in.
#define BARRIER(type, name, keep, result)                         \
    UK_API type name(void);                                       \
    UK_BETWEEN type name(void)                                    \
    {                                                             \
        static void *real;                                        \
        const struct team *t = uk_order_followed() ? team : NULL; \
        const unsigned arrival = t ? uk_order_arrives(t) : 0;     \
        keep((type(*)(void))uk_behind(&real, #name))();           \
        if (t)                                                    \
            uk_order_passes(t, arrival);                          \
        result;                                                   \
    }

BARRIER(void, GOMP_barrier, , )
BARRIER(bool, GOMP_barrier_cancel, const bool rc =, return rc)
BARRIER(void, GOMP_loop_end, , )
BARRIER(bool, GOMP_loop_end_cancel, const bool rc =, return rc)
BARRIER(void, GOMP_sections_end, , )
BARRIER(bool, GOMP_sections_end_cancel, const bool rc =, return rc)

#define STARTS(name, params, args, key)                 \
    UK_API void name params;                            \
    UK_BETWEEN void name params                         \
    {                                                   \
        static void *real;                              \
        ((void(*) params)uk_behind(&real, #name)) args; \
        if (uk_order_shared())                          \
            uk_order_takes(key);                        \
    }
#define ENDS(name, params, args, key)                   \
    UK_API void name params;                            \
    UK_BETWEEN void name params                         \
    {                                                   \
        static void *real;                              \
        if (uk_order_shared())                          \
            uk_order_gives(key);                        \
        ((void(*) params)uk_behind(&real, #name)) args; \
    }

static const char critical, atomic;
// Of a team, what only one of its threads at a time does in turn: its second word.
static const void *turns(void)
{
    return team ? (const void *)&team->data : (const void *)&critical;
}

STARTS(GOMP_critical_start, (void), (), &critical)
ENDS(GOMP_critical_end, (void), (), &critical)
STARTS(GOMP_critical_name_start, (void **name), (name), name)
ENDS(GOMP_critical_name_end, (void **name), (name), name)
STARTS(GOMP_atomic_start, (void), (), &atomic)
ENDS(GOMP_atomic_end, (void), (), &atomic)
STARTS(GOMP_ordered_start, (void), (), turns())
ENDS(GOMP_ordered_end, (void), (), turns())

// The thread that has the data hands it to the others; the rest of the construct is a barrier.
UK_API void *GOMP_single_copy_start(void);
UK_BETWEEN void *GOMP_single_copy_start(void)
{
    static void *real;
    void *copied = ((void *(*)(void))uk_behind(&real, "GOMP_single_copy_start"))();
    if (copied && uk_order_followed())
        uk_order_takes(turns());
    return copied;
}
ENDS(GOMP_single_copy_end, (void *data), (data), turns())

#define LOCKS(set, unset, test)                                        \
    STARTS(set, (void *l), (l), l)                                     \
    ENDS(unset, (void *l), (l), l)                                     \
    UK_API int test(void *);                                           \
    UK_BETWEEN int test(void *l)                                       \
    {                                                                  \
        static void *real;                                             \
        const int got = ((int (*)(void *))uk_behind(&real, #test))(l); \
        if (got != 0 && uk_order_shared())                             \
            uk_order_takes(l);                                         \
        return got;                                                    \
    }

LOCKS(omp_set_lock, omp_unset_lock, omp_test_lock)
LOCKS(omp_set_nest_lock, omp_unset_nest_lock, omp_test_nest_lock)
LOCKS(omp_set_lock_, omp_unset_lock_, omp_test_lock_)
LOCKS(omp_set_nest_lock_, omp_unset_nest_lock_, omp_test_nest_lock_)
