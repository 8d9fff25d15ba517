// What orders tasks of OpenMP as GCC compiles it. A task knows what its creator knew then. What it knows at its end goes
// to whoever waits for it: the creating task, by a taskwait; the end of a taskgroup; a barrier, or the end of the region;
// and tasks that depend on the same address. What one thread does one after the other counts as ordered, though tasks
// may come in another order.
//
// Runs: wherever the program makes tasks or waits for some; at the beginning and end of each.
//
// Never: changes what the program gets; does anything where the order of the thread is not followed, or there are no
// other threads. Memory for what tasks leave is taken as they need it, and given back at the end of the region.
#define _GNU_SOURCE
#include "process/order_openmp.h"
#include <stdlib.h>
#include <string.h>

// As in gcc's gomp-constants.h. How a task is to be run is libgomp's business.
enum { DEPEND = 1 << 3, IF = 1 << 10, NO_GROUP = 1 << 11, REDUCTION = 1 << 12, DETACH = 1 << 13 };
enum { ON_STACK = 4096, SPARE = 16, JOINS = 10000 };

typedef void (*body)(void *);
typedef void (*copier)(void *, void *);

// What a task depends on: other tasks that do may read it as well, unless it is written.
struct address {
    const void *at; // NULL is all memory
    bool written;
};

// What goes with a task, before its data, as libgomp copies that: once, or for a loop as often as it makes tasks.
struct sent {
    long bounds[2];       // of a loop: libgomp writes those of each task here
    uintptr_t *reduction; // and reads this, see GOMP_taskgroup_reduction_register
    const struct sent *original;
    body run;
    copier copy;
    void *data;          // the program's, which has been copied behind this unless it is run at once
    size_t head, offset; // bytes before the data, and the same aligned as these are
    struct uk_team *team;
    struct uk_task **thread; // in which it was made: where this has uk_order_task
    struct uk_join *children, *group;
    unsigned width; // of the clock
    unsigned addresses;
    bool loop;
    struct address at[]; // and the clock
};
_Static_assert(sizeof(long) == sizeof(long long), "libgomp's bounds of loops are two words of either kind");

// What libgomp's functions are given of a task.
struct made {
    body run;
    void *data;
    copier copy;
    long size, align;
};

static uint32_t *clock_of(struct sent *s)
{
    return (uint32_t *)&s->at[s->addresses];
}

static bool is_vague(const struct uk_team *team)
{
    return __atomic_load_n(&team->vague, __ATOMIC_RELAXED);
}

static void make_vague(struct uk_team *team)
{
    __atomic_store_n(&team->vague, true, __ATOMIC_RELAXED);
}

// For the rest of the region. What was used before is taken first: of this thread, and then of the team.
static struct uk_join *new_join(struct uk_task *t)
{
    struct uk_team *team = t->team;
    struct uk_task *mine = t->implicit;
    struct uk_join *j = mine ? mine->unused : NULL;
    if (j) {
        mine->unused = j->unused;
        mine->spare--;
    } else if (__atomic_load_n(&team->unused, __ATOMIC_RELAXED)) {
        uk_lock(&team->lock);
        j = team->unused;
        if (j)
            team->unused = j->unused;
        uk_unlock(&team->lock);
    }
    if (!j) {
        j = calloc(1, sizeof *j);
        if (!j) {
            uk_order_lose();
            return NULL;
        }
        uk_lock(&team->lock);
        if (team->joins++ == JOINS)
            make_vague(team);
        j->all = team->all;
        team->all = j;
        uk_unlock(&team->lock);
    }
    j->news = false;
    // Tasks that know no more have nothing to leave. Of threads that are not there yet, nothing was known before.
    uk_order_gives_part(j->clock.at, uk_order_width());
    return j;
}

static void old_join(struct uk_task *t, struct uk_join *j)
{
    struct uk_task *mine = t->implicit;
    if (mine && mine->spare < SPARE) {
        j->unused = mine->unused;
        mine->unused = j;
        mine->spare++;
        return;
    }
    uk_lock(&t->team->lock);
    j->unused = t->team->unused;
    __atomic_store_n(&t->team->unused, j, __ATOMIC_RELAXED);
    uk_unlock(&t->team->lock);
}

// Where the next child task leaves what it knows.
static struct uk_join *children_of(struct uk_task *t)
{
    if (!t->children && !is_vague(t->team))
        t->children = new_join(t);
    t->awaits = true;
    return t->children;
}

// Child tasks that nobody has waited for may still use it.
void uk_order_leaves(struct uk_task *t)
{
    struct uk_join *j = t->children;
    if (!j)
        return;
    if (!t->awaits) {
        old_join(t, j);
    } else if (t->implicit) {
        j->unused = t->implicit->later;
        t->implicit->later = j;
    }
}

static void leave(struct uk_join *j)
{
    if (uk_order_adds_to(&j->clock, &j->lock))
        __atomic_store_n(&j->news, true, __ATOMIC_RELAXED);
}

unsigned uk_order_waits(struct uk_task *implicit)
{
    implicit->in_barrier = true;
    return uk_order_arrives(implicit->team);
}

void uk_order_completes(struct uk_task *implicit, unsigned arrival)
{
    implicit->in_barrier = false;
    uk_order_passes(implicit->team, arrival);
    uk_order_takes_from(&implicit->team->ended[implicit->barriers++ % 2]);
    for (struct uk_join *j = implicit->later, *next; j; j = next) {
        next = j->unused;
        old_join(implicit, j);
    }
    implicit->later = NULL;
}

void uk_order_region_ends(struct uk_team *team)
{
    uk_order_takes_from(&team->end);
    uk_order_takes_from(&team->ended[0]);
    uk_order_takes_from(&team->ended[1]);
    for (struct uk_join *j = team->all, *next; j; j = next) {
        next = j->all;
        free(j);
    }
}

// Behind a wait for all of whoever leaves something.
static void takes_news(struct uk_join *j)
{
    if (!j->news)
        return;
    uk_order_takes_from(&j->clock);
    j->news = false;
}

// What all tasks knew that have ended.
static void takes_all(struct uk_team *team)
{
    uk_lock(&team->lock);
    uk_order_takes_from(&team->end);
    uk_order_takes_from(&team->ended[0]);
    uk_order_takes_from(&team->ended[1]);
    uk_unlock(&team->lock);
}

// What a task depends on, as GOMP_task gets it: in one of two forms, the second of which has objects behind the addresses.
static unsigned addresses_in(void *const *depend)
{
    return (unsigned)(uintptr_t)depend[depend[0] ? 0 : 1];
}

static struct address address_in(void *const *depend, unsigned i)
{
    enum { IN = 1 };
    if (depend[0])
        return (struct address){depend[2 + i], i < (uintptr_t)depend[1]};
    const uintptr_t writes = (uintptr_t)depend[2] + (uintptr_t)depend[3], plain = writes + (uintptr_t)depend[4];
    if (i < plain)
        return (struct address){depend[5 + i], i < writes};
    void *const *object = depend[5 + i];
    return (struct address){object[0], (uintptr_t)object[1] != IN};
}

static void depends(struct uk_team *team, struct address on)
{
    if (!on.at)
        make_vague(team);
    if (is_vague(team))
        takes_all(team);
    if (on.at)
        uk_order_takes_shared(on.at, on.written);
}

// A thread's own arrival at a barrier tells what it has done before. Only what it does in there is to be said besides, and
// what may be waited for otherwise.
static void tell_team(const struct uk_task *t, bool depends)
{
    struct uk_team *team = t->team;
    if (!t->implicit)
        uk_order_adds_to(&team->end, &team->lock);
    else if (t->implicit->in_barrier || depends || is_vague(team))
        uk_order_adds_to(&team->ended[t->implicit->barriers % 2], &team->lock);
}

// A task of the program, in whatever thread.
UK_BETWEEN static void perform(void *of)
{
    struct sent *s = of;
    struct uk_task *outer = uk_order_task;
    struct uk_task mine = {.team = s->team, .group = s->group};
    if (outer && outer->team == s->team)
        mine.implicit = outer->implicit;
    uk_order_task = &mine;
    const bool apart = s->thread != &uk_order_task; // else what it learns and knows is its creator's anyway
    if (apart)
        uk_order_takes_part(clock_of(s), s->width);
    for (unsigned i = 0; i < s->addresses; i++)
        depends(s->team, s->at[i]);
    void *data = s == s->original ? s->data : (char *)s + s->offset;
    if (s->loop)
        memcpy(data, s->bounds, sizeof s->bounds);
    s->run(data);
    for (unsigned i = 0; i < s->addresses; i++)
        if (s->at[i].at)
            uk_order_gives_shared(s->at[i].at, s->at[i].written);
    if (apart && s->children)
        leave(s->children);
    if (s->group)
        leave(s->group);
    tell_team(&mine, s->addresses > 0);
    uk_order_leaves(&mine);
    uk_order_task = outer;
}

// Where data have constructors, which find themselves at the address that they have in libgomp.
UK_BETWEEN static void construct(void *to, void *from)
{
    const struct sent *s = from;
    memcpy(to, s, s->head);
    s->copy((char *)to + s->offset, s->data);
}

// The task in which this thread makes another one, NULL if that need not be followed.
static inline struct uk_task *maker(void)
{
    if (!uk_order_task || uk_order_shared())
        return uk_order_task;
    if (uk_self.gate == UK_INSIDE) // by a function of the program's that MPI calls
        uk_order_lose();
    return NULL;
}

// How much of a task is sent, and what of that is not data, which may be constructed later, or used where they are.
struct size {
    unsigned addresses, width;
    size_t head, offset, all;
};

static inline struct size size_of(const struct made *m, void *const *depend, bool at_once)
{
    struct size z = {.addresses = depend ? addresses_in(depend) : 0, .width = uk_order_width()};
    z.head = sizeof(struct sent) + z.addresses * sizeof(struct address) + z.width * sizeof(uint32_t);
    z.offset = (z.head + (size_t)m->align - 1) & ~((size_t)m->align - 1);
    z.all = m->copy || at_once ? z.head : z.offset + (size_t)m->size;
    return z;
}

// Puts it there, and gives libgomp that in place of the task.
static inline void send(struct sent *s, const struct size *z, struct made *m, void *const *depend,
                        const struct uk_task *t, struct uk_join *children)
{
    if (!s) {
        uk_order_lose();
        return;
    }
    s->loop = false;
    s->original = s;
    s->run = m->run;
    s->copy = m->copy;
    s->data = m->data;
    s->head = z->head;
    s->offset = z->offset;
    s->team = t->team;
    s->thread = &uk_order_task;
    s->children = children;
    s->group = t->group;
    s->width = z->width;
    s->addresses = z->addresses;
    for (unsigned i = 0; i < z->addresses; i++)
        s->at[i] = address_in(depend, i);
    uk_order_gives_part(clock_of(s), z->width);
    if (z->all > z->head)
        memcpy((char *)s + z->offset, m->data, (size_t)m->size);
    const long least = _Alignof(struct sent);
    *m = (struct made){perform, s, m->copy ? construct : NULL, (long)z->offset + m->size,
                       m->align < least ? least : m->align};
}

static void enter_group(struct uk_task *t)
{
    struct uk_join *j = new_join(t);
    if (!j)
        return;
    j->outer = t->group;
    t->group = j;
}

static void leave_group(struct uk_task *t)
{
    struct uk_join *j = t->group;
    if (!j)
        return;
    takes_news(j);
    t->group = j->outer;
    old_join(t, j);
}

UK_API void GOMP_task(body, void *, copier, long, long, bool, unsigned, void **, int, void *);
UK_BETWEEN void GOMP_task(body run, void *data, copier copy, long size, long align, bool may_wait, unsigned flags,
                          void **depend, int priority, void *detach)
{
    static void *real;
    struct made m = {run, data, copy, size, align};
    struct uk_task *t = flags & DETACH ? NULL : maker();
    void *far = NULL;
    if (t) {
        struct size z = size_of(&m, flags & DEPEND ? depend : NULL, !may_wait);
        send(z.all > ON_STACK ? far = malloc(z.all) : __builtin_alloca(z.all), &z, &m, depend, t, children_of(t));
    }
    ((void (*)(body, void *, copier, long, long, bool, unsigned, void **, int, void *))uk_behind(&real, "GOMP_task"))(
        m.run, m.data, m.copy, m.size, m.align, may_wait, flags, depend, priority, detach);
    if (far)
        free(far);
}

// A loop the iterations of which tasks share. It is a taskgroup, or else a taskwait takes for one of its tasks any that
// has ended.
#define TASKS(name, type)                                                                                           \
    UK_API void name(body, void *, copier, long, long, unsigned, unsigned long, int, type, type, type);             \
    UK_BETWEEN void name(body run, void *data, copier copy, long size, long align, unsigned flags, unsigned long n, \
                         int priority, type from, type to, type by)                                                 \
    {                                                                                                               \
        static void *real;                                                                                          \
        struct made m = {run, data, copy, size, align};                                                             \
        struct uk_task *t = maker();                                                                                \
        void *far = NULL;                                                                                           \
        if (t) {                                                                                                    \
            if (flags & NO_GROUP)                                                                                   \
                make_vague(t->team);                                                                                \
            else                                                                                                    \
                enter_group(t);                                                                                     \
            struct size z = size_of(&m, NULL, !(flags & IF));                                                       \
            struct sent *s = z.all > ON_STACK ? far = malloc(z.all) : __builtin_alloca(z.all);                      \
            send(s, &z, &m, NULL, t, NULL);                                                                         \
            if (s) {                                                                                                \
                s->loop = true;                                                                                     \
                s->reduction = flags & REDUCTION ? ((uintptr_t **)data)[2] : NULL;                                  \
            }                                                                                                       \
        }                                                                                                           \
        ((void (*)(body, void *, copier, long, long, unsigned, unsigned long, int, type, type, type))uk_behind(     \
            &real, #name))(m.run, m.data, m.copy, m.size, m.align, flags, n, priority, from, to, by);               \
        if (far)                                                                                                    \
            free(far);                                                                                              \
        if (t && !(flags & NO_GROUP))                                                                               \
            leave_group(t);                                                                                         \
    }

TASKS(GOMP_taskloop, long)
TASKS(GOMP_taskloop_ull, unsigned long long)

UK_API void GOMP_taskwait(void);
UK_BETWEEN void GOMP_taskwait(void)
{
    static void *real;
    ((void (*)(void))uk_behind(&real, "GOMP_taskwait"))();
    struct uk_task *t = uk_order_task;
    if (!t)
        return;
    if (t->children) {
        t->awaits = false;
        takes_news(t->children);
    }
    if (is_vague(t->team))
        takes_all(t->team);
}

UK_API void GOMP_taskwait_depend(void **);
UK_BETWEEN void GOMP_taskwait_depend(void **depend)
{
    static void *real;
    ((void (*)(void **))uk_behind(&real, "GOMP_taskwait_depend"))(depend);
    for (unsigned i = 0, n = uk_order_task ? addresses_in(depend) : 0; i < n; i++)
        depends(uk_order_task->team, address_in(depend, i));
}

UK_API void GOMP_taskgroup_start(void);
UK_BETWEEN void GOMP_taskgroup_start(void)
{
    static void *real;
    ((void (*)(void))uk_behind(&real, "GOMP_taskgroup_start"))();
    if (uk_order_task)
        enter_group(uk_order_task);
}

UK_API void GOMP_taskgroup_end(void);
UK_BETWEEN void GOMP_taskgroup_end(void)
{
    static void *real;
    ((void (*)(void))uk_behind(&real, "GOMP_taskgroup_end"))();
    if (uk_order_task)
        leave_group(uk_order_task);
}
