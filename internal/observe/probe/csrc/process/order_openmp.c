// What orders threads in OpenMP as GCC compiles it: parallel regions, barriers, critical, atomic and ordered parts,
// copyprivate and locks, by the functions of libgomp that compiled code calls. Tasks are in order_tasks.c. Programs that
// another compiler's library runs are not followed (ordering.c).
//
// Runs: wherever the program calls these.
//
// Never: changes what the program gets; does anything where the order of the thread is not followed.
#define _GNU_SOURCE
#include "process/order_openmp.h"

__thread struct uk_task *uk_order_task __attribute__((tls_model("initial-exec")));

static unsigned team_size(void)
{
    static void *real;
    int (*ask)(void) = (int (*)(void))uk_behind(&real, "omp_get_num_threads");
    return ask ? (unsigned)ask() : 0;
}

UK_BETWEEN static void member(void *of)
{
    struct uk_team *mine = of;
    struct uk_task implicit = {.team = mine, .implicit = &implicit}, *outer = uk_order_task;
    uk_order_task = &implicit;
    uk_order_takes_from(&mine->begin);
    uk_lock(&mine->lock);
    if (!mine->counted)
        uk_order_barrier(mine, team_size());
    mine->counted = true;
    uk_unlock(&mine->lock);
    mine->run(mine->data);
    uk_order_adds_to(&mine->end, &mine->lock);
    uk_order_leaves(&implicit);
    uk_order_task = outer;
}

// REGION(type, function, parameters, how they are passed, the reductions, what to do with the result)
#define REGION(type, name, params, args, reduces, keep, result)                 \
    UK_API type name params;                                                    \
    UK_BETWEEN type name params                                                 \
    {                                                                           \
        static void *real;                                                      \
        struct uk_team t = {.reductions = (reduces), .run = run, .data = data}; \
        const bool followed = uk_order_followed();                              \
        if (followed) {                                                         \
            uk_order_gives_to(&t.begin);                                        \
            run = member;                                                       \
            data = &t;                                                          \
        }                                                                       \
        keep((type(*) params)uk_behind(&real, #name)) args;                     \
        if (followed)                                                           \
            uk_order_region_ends(&t);                                           \
        result;                                                                 \
    }

typedef void (*body)(void *);

REGION(void, GOMP_parallel, (body run, void *data, unsigned n, unsigned flags), (run, data, n, flags), NULL, , )
REGION(unsigned, GOMP_parallel_reductions, (body run, void *data, unsigned n, unsigned flags), (run, data, n, flags),
       *(uintptr_t **)data, const unsigned rc =, return rc)
REGION(void, GOMP_parallel_sections, (body run, void *data, unsigned n, unsigned count, unsigned flags),
       (run, data, n, count, flags), NULL, , )

#define CHUNKS(name)                                                                                            \
    REGION(void, name, (body run, void *data, unsigned n, long from, long to, long by, long chunk, unsigned f), \
           (run, data, n, from, to, by, chunk, f), NULL, , )
#define LOOP(name)                                                                                  \
    REGION(void, name, (body run, void *data, unsigned n, long from, long to, long by, unsigned f), \
           (run, data, n, from, to, by, f), NULL, , )
CHUNKS(GOMP_parallel_loop_static)
CHUNKS(GOMP_parallel_loop_dynamic)
CHUNKS(GOMP_parallel_loop_guided)
CHUNKS(GOMP_parallel_loop_nonmonotonic_dynamic)
CHUNKS(GOMP_parallel_loop_nonmonotonic_guided)
LOOP(GOMP_parallel_loop_runtime)
LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

static struct uk_task *implicit_task(void)
{
    return uk_order_followed() && uk_order_task ? uk_order_task->implicit : NULL;
}

// What all threads of a team wait for each other in. This completes its tasks.
#define BARRIER(type, name, keep, result)                   \
    UK_API type name(void);                                 \
    UK_BETWEEN type name(void)                              \
    {                                                       \
        static void *real;                                  \
        struct uk_task *t = implicit_task();                \
        const unsigned arrival = t ? uk_order_waits(t) : 0; \
        keep((type(*)(void))uk_behind(&real, #name))();     \
        if (t)                                              \
            uk_order_completes(t, arrival);                 \
        result;                                             \
    }

BARRIER(void, GOMP_barrier, , )
BARRIER(bool, GOMP_barrier_cancel, const bool rc =, return rc)
BARRIER(void, GOMP_loop_end, , )
BARRIER(bool, GOMP_loop_end_cancel, const bool rc =, return rc)
BARRIER(void, GOMP_sections_end, , )
BARRIER(bool, GOMP_sections_end_cancel, const bool rc =, return rc)

// The end of a loop, sections or a scope with reductions in tasks: a barrier, unless these were cancelled. They have been
// a taskgroup in each thread, the beginning of which is not seen.
UK_API void GOMP_workshare_task_reduction_unregister(bool);
UK_BETWEEN void GOMP_workshare_task_reduction_unregister(bool cancelled)
{
    static void *real;
    struct uk_task *t = implicit_task();
    if (t && cancelled)
        uk_order_lose();
    const unsigned arrival = t ? uk_order_waits(t) : 0;
    ((void (*)(bool))uk_behind(&real, "GOMP_workshare_task_reduction_unregister"))(cancelled);
    if (t)
        uk_order_completes(t, arrival);
}

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
// Of a team, what only one of its threads at a time does in turn: a word in there.
static const void *turns(void)
{
    return uk_order_task ? (const void *)&uk_order_task->team->data : (const void *)&critical;
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
