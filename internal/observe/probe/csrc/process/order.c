// Keeps the clocks of threads, and of what they hand on to each other (order.h).
//
// Runs: where the program locks, waits, signals and so on, in a signal handler too, by sem_post; before calls of MPI.
//
// Never: allocates, or waits for a lock that is held for long: after some tries the order is given up.
#include "process/order.h"

enum { SHARDS = 64, PER_SHARD = 64, PATIENCE = 1000, SEEN = 16, RETURNS = 16 };

static struct {
    uk_lock_t lock;
    unsigned next; // to be forgotten when there is no room
    struct uk_handed all[PER_SHARD];
    struct uk_clock forgotten; // what those had that were; whoever takes what is not there takes this
} table[SHARDS];

static struct uk_clock ends[UK_ORDER_THREADS]; // what threads knew at their end
static bool lost;                              // nothing is said any more
static uint64_t changes;                       // of what is handed on, in all

// What a thread has used of late, so that a lock taken and given back again and again costs next to nothing: as long as
// its entry has not changed, the thread learns nothing of it, and tells it nothing unless its own clock has changed.
struct seen {
    const void *key;
    const struct uk_handed *at;
    uint64_t taken;   // the entry's last change, if the thread knows all of it, else 0
    uint64_t given;   // the same, if it knows all of the thread
    uint64_t version; // of the thread's clock then
};

static __thread struct {
    bool handed_on;    // another turn begins at the next call
    bool gone;         // that the order is lost is recorded
    uint64_t version;  // of the clock
    uint64_t recorded; // the version that was recorded
    int64_t tick;      // during which so many returns may still be recorded
    unsigned returns;
    struct uk_clock clock;
    struct seen seen[SEEN];
} own __attribute__((tls_model("initial-exec")));

// How many threads there are by now, and may be known of.
static unsigned threads(void)
{
    unsigned n = __atomic_load_n(&uk_process.threads, __ATOMIC_ACQUIRE) + 1;
    return n < UK_ORDER_THREADS ? n : UK_ORDER_THREADS;
}

void uk_order_lose(void)
{
    __atomic_store_n(&lost, true, __ATOMIC_RELEASE);
    uk_self.knows_more = 1;
}

static bool is_lost(void)
{
    if (UK_LIKELY(!__atomic_load_n(&lost, __ATOMIC_ACQUIRE)))
        return false;
    uk_self.knows_more = 1;
    return true;
}

// How one clock differed from another: what it knew more, or less.
struct difference {
    bool more, less;
};

// Adds what a clock knows to another one.
static struct difference join(struct uk_clock *to, const struct uk_clock *from)
{
    struct difference d = {false, false};
    for (unsigned i = 0, n = threads(); i < n; i++) {
        if (to->at[i] > from->at[i])
            d.more = true;
        if (to->at[i] < from->at[i]) {
            d.less = true;
            __atomic_store_n(&to->at[i], from->at[i], __ATOMIC_RELAXED);
        }
    }
    return d;
}

// Whether a clock, which others may be adding to, knows all of this thread's.
static bool knows(const struct uk_clock *c)
{
    for (unsigned i = 0, n = threads(); i < n; i++)
        if (__atomic_load_n(&c->at[i], __ATOMIC_RELAXED) < own.clock.at[i])
            return false;
    return true;
}

static bool lock_shard(unsigned shard)
{
    for (unsigned tries = 0; !uk_trylock(&table[shard].lock); sched_yield())
        if (++tries == PATIENCE)
            return false;
    return true;
}

static uint64_t hash_of(const void *key)
{
    return ((uintptr_t)key >> 3) * 0x9e3779b97f4a7c15u;
}

static unsigned shard_of(const void *key)
{
    return (unsigned)(hash_of(key) >> 58);
}

static struct seen *seen_of(const void *key)
{
    return &own.seen[(hash_of(key) >> 40) % SEEN];
}

// What this thread knows is handed on. Its next call is not part of that.
static void hand_on(void)
{
    own.handed_on = true;
    uk_self.knows_more = 1;
}

static struct difference learn(const struct uk_clock *from)
{
    const struct difference d = join(&own.clock, from);
    if (d.less) {
        own.version++;
        uk_self.knows_more = 1;
    }
    return d;
}

static void change(struct uk_handed *h)
{
    __atomic_store_n(&h->changed, __atomic_add_fetch(&changes, 1, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

// What there is of a key, with its shard locked; NULL if there is nothing, unless it is to be made.
static struct uk_handed *handed(unsigned shard, const void *key, bool make)
{
    const unsigned from = (unsigned)(hash_of(key) >> 52) % PER_SHARD;
    for (unsigned i = 0; i < PER_SHARD; i++) {
        struct uk_handed *h = &table[shard].all[(from + i) % PER_SHARD];
        if (h->key == key)
            return h;
        if (h->key)
            continue;
        if (!make)
            return NULL;
        h->key = key;
        change(h);
        return h;
    }
    if (!make)
        return NULL;
    struct uk_handed *h = &table[shard].all[table[shard].next++ % PER_SHARD];
    join(&table[shard].forgotten, &h->clock);
    join(&table[shard].forgotten, &h->readers);
    change(h);
    h->key = key;
    h->parties = h->arrivals = 0;
    h->written = false;
    h->clock = table[shard].forgotten;
    h->readers = (struct uk_clock){{0}};
    return h;
}

// Begins to use what there is of a key; done ends it. NULL if there is nothing, or if the order is not followed.
static struct uk_handed *begin(const void *key, bool make)
{
    if (!uk_order_followed() || is_lost())
        return NULL;
    const unsigned shard = shard_of(key);
    if (!lock_shard(shard)) {
        uk_order_lose();
        return NULL;
    }
    struct uk_handed *h = handed(shard, key, make);
    if (!h) {
        learn(&table[shard].forgotten);
        uk_unlock(&table[shard].lock);
    }
    return h;
}

static void done(const struct uk_handed *h)
{
    uk_unlock(&table[shard_of(h->key)].lock);
}

// Whatever is taken was given before, in the order of memory as well: this cannot miss the change.
static bool is_unchanged(const struct seen *s, const void *key, uint64_t since)
{
    return s->key == key && since != 0 && __atomic_load_n(&s->at->changed, __ATOMIC_RELAXED) == since;
}

// A signal handler that comes in between finds nothing there.
static void see(struct seen *s, const void *key, const struct uk_handed *h, uint64_t taken, uint64_t given)
{
    s->key = NULL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    s->at = h;
    s->taken = taken;
    s->given = given;
    s->version = own.version;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    s->key = key;
}

void uk_order_gives(const void *key)
{
    struct seen *s = seen_of(key);
    if (s->version == own.version && is_unchanged(s, key, s->given))
        return;
    struct uk_handed *h = begin(key, true);
    if (!h)
        return;
    const struct difference d = join(&h->clock, &own.clock);
    if (d.less)
        change(h);
    see(s, key, h, d.more ? 0 : h->changed, h->changed);
    done(h);
    hand_on();
}

void uk_order_takes(const void *key)
{
    struct seen *s = seen_of(key);
    if (is_unchanged(s, key, s->taken))
        return;
    struct uk_handed *h = begin(key, false);
    if (!h)
        return;
    const struct difference d = learn(&h->clock);
    see(s, key, h, h->changed, d.more ? 0 : h->changed);
    done(h);
}

void uk_order_gives_to(struct uk_clock *to)
{
    if (!uk_order_followed() || is_lost())
        return;
    join(to, &own.clock);
    hand_on();
}

void uk_order_takes_from(const struct uk_clock *from)
{
    if (uk_order_followed() && !is_lost())
        learn(from);
}

// What is known there is not handed on once more.
bool uk_order_adds_to(struct uk_clock *to, uk_lock_t *lock)
{
    if (!uk_order_followed() || is_lost() || knows(to))
        return false;
    uk_lock(lock);
    join(to, &own.clock);
    uk_unlock(lock);
    hand_on();
    return true;
}

unsigned uk_order_width(void)
{
    return threads();
}

void uk_order_gives_part(uint32_t *to, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        to[i] = own.clock.at[i];
    hand_on();
}

void uk_order_takes_part(const uint32_t *from, unsigned width)
{
    if (!uk_order_followed() || is_lost())
        return;
    bool more = false;
    for (unsigned i = 0; i < width; i++)
        if (own.clock.at[i] < from[i]) {
            own.clock.at[i] = from[i];
            more = true;
        }
    if (more) {
        own.version++;
        uk_self.knows_more = 1;
    }
}

void uk_order_gives_shared(const void *key, bool wrote)
{
    struct uk_handed *h = begin(key, true);
    if (!h)
        return;
    join(wrote ? &h->clock : &h->readers, &own.clock);
    change(h);
    done(h);
    hand_on();
}

void uk_order_takes_shared(const void *key, bool writes)
{
    struct uk_handed *h = begin(key, false);
    if (!h)
        return;
    learn(&h->clock);
    if (writes)
        learn(&h->readers);
    done(h);
}

void uk_order_takes_lock(const void *key, bool writes)
{
    struct uk_handed *h = begin(key, writes);
    if (!h)
        return;
    learn(&h->clock);
    if (writes) {
        learn(&h->readers);
        h->written = true;
    }
    done(h);
}

void uk_order_gives_lock(const void *key)
{
    struct uk_handed *h = begin(key, true);
    if (!h)
        return;
    join(h->written ? &h->clock : &h->readers, &own.clock);
    change(h);
    h->written = false;
    done(h);
    hand_on();
}

void uk_order_barrier(const void *key, unsigned parties)
{
    struct uk_handed *h = begin(key, true);
    if (!h)
        return;
    h->parties = parties;
    h->arrivals = 0;
    done(h);
}

// Who arrives there next before all have left must not be known to these: two clocks are used by turns.
unsigned uk_order_arrives(const void *key)
{
    struct uk_handed *h = begin(key, true);
    if (!h)
        return 0;
    const unsigned arrival = h->parties > 0 ? h->arrivals++ / h->parties : 0;
    join(arrival % 2 == 0 ? &h->clock : &h->readers, &own.clock);
    change(h);
    done(h);
    hand_on();
    return arrival;
}

void uk_order_passes(const void *key, unsigned arrival)
{
    struct uk_handed *h = begin(key, false);
    if (!h)
        return;
    learn(arrival % 2 == 0 ? &h->clock : &h->readers);
    done(h);
}

void uk_order_init(struct uk_thread *t)
{
    uk_order_posix_init();
    uk_self.follows = true;
    own.clock.at[t->index] = own.version = 1;
    t->knows_more = 1;
    uk_memory_follows(t);
}

void uk_order_begins(unsigned index, const struct uk_clock *from)
{
    if (index >= UK_ORDER_THREADS) {
        uk_order_lose();
        return;
    }
    uk_self.follows = true;
    uk_memory_thread_begins();
    own.clock = *from;
    own.clock.at[index] = own.version = 1;
    uk_self.knows_more = 1;
}

void uk_order_ends(void)
{
    if (uk_order_followed() && !is_lost())
        uk_order_gives_to(&ends[uk_self.index]);
    uk_self.follows = false;
}

void uk_order_joined(unsigned index)
{
    if (index < UK_ORDER_THREADS)
        uk_order_takes_from(&ends[index]);
}

// Threads that call MPI at the same time would tell of each call when it has returned. They do so a few times in each tick
// of the kernel's clock, which takes milliseconds.
static bool may_tell_return(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    const int64_t tick = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    if (tick != own.tick) {
        own.tick = tick;
        own.returns = RETURNS;
    }
    if (own.returns == 0)
        return false;
    own.returns--;
    return true;
}

static void tell(struct uk_thread *t, uint64_t returned, unsigned n)
{
    if (UK_UNLIKELY(t->poll.live)) // what follows comes after the polls
        uk_poll_forget(t, false);
    uint64_t words[UK_ORDER_THREADS];
    for (unsigned i = 0; i < n; i++)
        words[i] = own.clock.at[i];
    const uint64_t fixed[UK_DATA_ORDER_FIXED] = {[UK_DATA_ORDER_RETURNED] = returned};
    const struct uk_chunk chunks[] = {{fixed, UK_DATA_ORDER_FIXED, UK_WORDS}, {words, n, UK_WORDS}};
    uk_long(t, UK_DATA_ORDER, UK_DATA, 0, chunks, 2);
}

// Before a call: what the thread knows. No turn at all says that the order of the process's threads is not known.
void uk_order_tell(struct uk_thread *t)
{
    t->knows_more = 0;
    if (UK_UNLIKELY(__atomic_load_n(&lost, __ATOMIC_ACQUIRE))) {
        t->follows = false;
        if (!own.gone)
            tell(t, 0, 0);
        own.gone = true;
    }
    if (!t->follows)
        return;
    if (own.handed_on) {
        own.handed_on = false;
        own.version++;
        own.clock.at[t->index]++;
    }
    uint64_t returned = t->came_back;
    t->came_back = 0;
    if (own.recorded == own.version && !may_tell_return()) {
        if (t->vague)
            return;
        t->vague = true;
        returned = UK_ORDER_VAGUE;
    } else if (returned != 0) {
        t->vague = false;
    }
    own.recorded = own.version;
    unsigned n = threads();
    while (n > 0 && own.clock.at[n - 1] == 0)
        n--;
    tell(t, returned, n);
}
