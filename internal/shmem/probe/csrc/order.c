/* Contexts, fences, waits and locks (OpenSHMEM 1.4, 9.4, 9.9 to 9.11). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "sh.h"

/* ---- Contexts. ---- */

static struct {
    const void *context;
    pthread_t maker;
    int private, serialized; /* as its options say */
    int users;               /* threads that are in a call with it */
    int over;
} * contexts; /* the number of one is its index and 1 */
static size_t context_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t number_of(const void *context)
{
    size_t n = context_count;
    while (n > 0 && contexts[n - 1].context != context)
        n--;
    return n;
}

uint64_t sh_context(struct sh_call *c, const void *context, const void *otherwise)
{
    if (context == otherwise || !c->recorded)
        return 0;
    pthread_mutex_lock(&lock);
    size_t n = number_of(context);
    int wrong = n == 0 || contexts[n - 1].over, private = 0, shared = 0;
    if (!wrong) {
        private = contexts[n - 1].private && !pthread_equal(contexts[n - 1].maker, pthread_self());
        shared = contexts[n - 1].serialized && contexts[n - 1].users > 0;
        contexts[n - 1].users++;
        c->context = n;
    }
    pthread_mutex_unlock(&lock);
    if (wrong) {
        sh_wrong(c, UKS_WRONG_CONTEXT, 0, 0, 0, UKS_ARG_CTX);
        c->recorded = 0;
    } else if (private || shared) {
        sh_wrong(c, UKS_CONTEXT_THREAD, (uint64_t)shared, 0, 0, UKS_ARG_CTX); /* the call is made all the same */
    }
    return n;
}

void sh_context_left(struct sh_call *c)
{
    pthread_mutex_lock(&lock);
    contexts[c->context - 1].users--;
    pthread_mutex_unlock(&lock);
}

void sh_context_made(struct sh_call *c, const void *context, int private, int serialized)
{
    if (c->nested)
        return;
    pthread_mutex_lock(&lock);
    void *grown = realloc(contexts, (context_count + 1) * sizeof *contexts);
    if (grown) {
        contexts = grown;
        memset(&contexts[context_count], 0, sizeof *contexts);
        contexts[context_count].context = context;
        contexts[context_count].maker = pthread_self();
        contexts[context_count].private = private;
        contexts[context_count++].serialized = serialized;
    }
    pthread_mutex_unlock(&lock);
}

void sh_context_ends(struct sh_call *c, const void *context, const void *otherwise)
{
    if (context == otherwise) {
        sh_wrong(c, UKS_DEFAULT_CONTEXT, 0, 0, 0, UKS_ARG_CTX);
        c->recorded = 0;
        return;
    }
    uint64_t n = sh_context(c, context, otherwise);
    if (!c->recorded)
        return;
    pthread_mutex_lock(&lock);
    contexts[n - 1].over = 1;
    pthread_mutex_unlock(&lock);
    sh_order(c, UKS_QUIET, n);
}

void sh_order(struct sh_call *c, int kind, uint64_t context)
{
    sh_put_record(c, (struct upcr_record){.kind = (unsigned char)kind, .value = context});
    if (kind == UKS_QUIET && c->recorded)
        sh_own_back(context);
}

/* ---- Waiting for a value. ---- */

static int value_fits(struct sh_call *c, const struct sh_array *word, int compare, uint64_t *offset)
{
    if (!c->recorded)
        return 0;
    if (compare < 0 || compare > 5) {
        sh_wrong(c, UKS_WRONG_COMPARE, (uint64_t)(int64_t)compare, 0, 0, 0);
        return 0;
    }
    if (!sh_symmetric(c, word, offset))
        return 0;
    if ((uint64_t)word->at % word->bytes) {
        sh_wrong(c, UKS_MISALIGNED, (uint64_t)word->at, word->bytes, 0, (unsigned)word->argument);
        return 0;
    }
    return 1;
}

/* A wait begins, or a test is made (polls), which says nothing before it succeeds. */
int sh_waits(struct sh_call *c, struct sh_array word, int compare, uint64_t value, int polls)
{
    uint64_t offset;
    if (!value_fits(c, &word, compare, &offset)) {
        c->recorded = 0;
        return 0;
    }
    if (!polls)
        sh_put_record(c, (struct upcr_record){.kind = UKS_WAITS,
                                              .flags = (unsigned char)compare,
                                              .owner = (unsigned short)sh_me(),
                                              .offset = offset,
                                              .size = (unsigned)word.bytes,
                                              .count = 1,
                                              .value = value});
    return 1;
}

/*
 * Whether a wait continues here, after so many looks at the value. The library's own waits drive what moves data, so
 * this does too: where it cannot, the library is left to wait, and nobody knows that it does.
 */
int sh_must_wait(unsigned long looks)
{
    static void (*_Atomic progress)(void);
    if (looks == 1) {
        if (!progress)
            progress = (void (*)(void))dlsym(RTLD_DEFAULT, "opal_progress");
        return progress != NULL;
    }
    if (looks % 64 == 0)
        sh_looked();
    if (looks > 1024)
        sched_yield();
    progress();
    return 1;
}

void sh_sees(struct sh_call *c, struct sh_array word)
{
    uint64_t offset, left;
    unsigned freed;
    if (c->recorded && sh_place(word.at, &offset, &left, &freed) == SH_SYMMETRIC)
        sh_put_record(c, (struct upcr_record){.kind = UKS_SEES,
                                              .owner = (unsigned short)sh_me(),
                                              .offset = offset,
                                              .size = (unsigned)word.bytes,
                                              .count = 1});
}

/* ---- Locks. ---- */

static struct held {
    const volatile long *lock;
    uint64_t offset;
    unsigned site;
} * held;
static size_t held_count;

static size_t held_at(const volatile long *l)
{
    size_t n = held_count;
    while (n > 0 && held[n - 1].lock != l)
        n--;
    return n;
}

static int lock_fits(struct sh_call *c, const volatile long *l, uint64_t *offset)
{
    struct sh_array word = {(const void *)l, 1, sizeof *l, 1, UKS_ARG_LOCK};
    if (!c->recorded || !sh_symmetric(c, &word, offset)) {
        c->recorded = 0;
        return 0;
    }
    return 1;
}

static void record_lock(struct sh_call *c, int kind, uint64_t offset)
{
    sh_put_record(
        c, (struct upcr_record){.kind = (unsigned char)kind, .offset = offset, .size = sizeof(long), .count = 1});
}

void sh_locking(struct sh_call *c, const volatile long *l)
{
    uint64_t offset;
    if (!lock_fits(c, l, &offset))
        return;
    pthread_mutex_lock(&lock);
    size_t n = held_at(l);
    unsigned site = n ? held[n - 1].site : 0;
    pthread_mutex_unlock(&lock);
    if (n)
        sh_wrong(c, UKS_HELD_ALREADY, offset, 0, site, UKS_ARG_LOCK);
    record_lock(c, UKS_LOCKING, offset);
}

void sh_locked(struct sh_call *c, const volatile long *l)
{
    uint64_t offset;
    if (!lock_fits(c, l, &offset))
        return;
    pthread_mutex_lock(&lock);
    void *grown = realloc(held, (held_count + 1) * sizeof *held);
    if (grown) {
        held = grown;
        held[held_count++] = (struct held){l, offset, c->site};
    }
    pthread_mutex_unlock(&lock);
    record_lock(c, UKS_LOCKED, offset);
}

void sh_unlocks(struct sh_call *c, const volatile long *l)
{
    uint64_t offset;
    if (!lock_fits(c, l, &offset))
        return;
    pthread_mutex_lock(&lock);
    size_t n = held_at(l);
    if (n)
        held[n - 1] = held[--held_count];
    pthread_mutex_unlock(&lock);
    if (!n) {
        sh_wrong(c, UKS_NOT_HELD, offset, 0, 0, UKS_ARG_LOCK);
        return;
    }
    sh_order(c, UKS_QUIET, 0);
    record_lock(c, UKS_UNLOCK, offset);
}

void sh_held_at_end(struct sh_call *c)
{
    for (size_t i = 0; i < held_count; i++)
        sh_wrong(c, UKS_HELD_AT_END, held[i].offset, 0, held[i].site, UKS_ARG_LOCK);
}
