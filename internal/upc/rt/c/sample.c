/*
 * Which accesses are recorded for the detection of data races: UPC-Thrille's check-region and check-reference (section
 * 4.2). Regions are functions, or loops with all loops in them. The chance that the next call of a function is
 * recorded, or the next access of a site that is not one of a row, is multiplied by a factor each time that one is, and
 * that of a loop with each so many iterations that are; the first always is. Instead of a draw for each, one draw says
 * how many are passed over.
 *
 * Of a loop that is recorded, so many iterations are; the rest is done by the copy that records nothing. That bounds
 * what sites cost, so most of their accesses are looked at, and the chance is one of places instead of times: what one
 * thread records of a large array by chance, the others do too.
 *
 * What threads do while they have a lock says whether the order in which they took it matters, so no site passes
 * anything over then, and the record of a critical section says so if some of it may be missing.
 *
 * If the program may only be slowed down so much, regions and sites that have been recorded before wait while more time
 * was spent than that: rare code comes first.
 *
 * A region may be another one for each way in which the last few functions have called each other (contexts: UPC-Thrille,
 * section 6, after k-CFA). Then its struct in the program only hands over to those in a table, and always asks.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "rt.h"

struct upcr_sampling upcr_sample;

enum {
    ITERATIONS = 1 << 10, /* of a loop that are recorded when it is entered first */
    LOOKS = 1 << 18,      /* accesses of a site that are looked at before most are passed over */
    LEAST = 64,           /* and at least */
    SURE = 64,            /* accesses of a site in loops that are recorded before any is left out */
    GRAIN = 8,            /* bytes of a place */
    ROW = 64,             /* accesses of a row that are passed over at most when the one before was */
    RESTS = 256,          /* entries or accesses for which one waits that would take too much time */
    /* Accesses that a site passes over when it has accessed private memory for the first time in a region. */
    SHORT_REST = 64,
    LONG_REST = 512,  /* and at most */
    AWHILE = 1 << 20, /* or while nothing is recorded */
};

/* The part of all places that is recorded in the end. */
static const double FEW = 1.0 / 1024;

/* A region where functions have called each other in one way. */
struct context {
    struct upcr_region *of; /* NULL: the place in the table is free */
    unsigned long functions;
    struct upcr_region region;
};
enum { CONTEXTS = 1 << 14 };
static struct context *contexts; /* CONTEXTS places, at most half of them used; NULL if there are none */
static int contexts_used;
static struct upcr_region crowd; /* all contexts that there is no room for */

unsigned long upcr_functions;

static struct upcr_site *resting; /* sites that have accessed private memory, or pass over accesses */
static struct upcr_region *entered;
static int locks;              /* that the thread has */
static int left_out;           /* accesses of a critical section, as too much time was spent */
static unsigned long recorded; /* accesses since a lock was taken */
static uint64_t state;         /* of the numbers that are drawn */
static double spent, began;
static struct timespec waiting;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A number in (0, 1]: xorshift64* (Vigna 2016). */
static double draw(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (double)((state * 0x2545F4914F6CDD1DUL >> 11) + 1) * 0x1p-53;
}

/* How many are passed over until the next that is recorded, each with this chance. */
static long passed(double chance)
{
    if (chance >= 1)
        return 0;
    double n = chance > 0 ? floor(log(draw()) / log1p(-chance)) : HUGE_VAL;
    return n < 0x1p62 ? (long)n : LONG_MAX;
}

/* Whether recording has taken more time than it may. */
static int too_much(void)
{
    return upcr_sample.slowdown > 0 && spent > (now() - began) * (upcr_sample.slowdown - 1) / upcr_sample.slowdown;
}

void upcr_sample_spend(unsigned long expected, unsigned long others)
{
    const double each = 1.5e-9, other = 15e-9; /* on a processor of 2020; a bound is kept as well as these fit */
    spent += (double)expected * each + (double)others * other;
}

void upcr_sample_waits(void)
{
    clock_gettime(CLOCK_MONOTONIC, &waiting);
}

void upcr_sample_waited(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    spent += (double)(t.tv_sec - waiting.tv_sec) + (double)(t.tv_nsec - waiting.tv_nsec) * 1e-9;
}

static void pass_over(struct upcr_site *site, long accesses)
{
    site->skip = accesses;
    if (site->rests)
        return;
    site->rests = 1;
    site->resting = resting;
    resting = site;
}

static void is_local(struct upcr_site *site)
{
    if (!upcr_recording)
        site->skip = AWHILE;
    if (!upcr_recording || !upcr_sample.persist)
        return;
    site->rest = site->rest == 0 ? SHORT_REST : site->rest < LONG_REST ? 2 * site->rest : LONG_REST;
    /* Not in step with a program that takes shared and private memory in turns. */
    pass_over(site, (long)(draw() * site->rest));
}

void upcr_is_local(struct upcr_site *site)
{
    upcr_record_take();
    is_local(site);
    upcr_record_drop();
}

/* A region that is recorded next may be called with other memory than before. */
static void wake_all(void)
{
    for (; resting; resting = resting->resting) {
        resting->rest = 0;
        resting->rests = 0;
        resting->skip = 0;
    }
}

void upcr_sample_locked(void)
{
    locks++;
    recorded = 0;
    left_out = 0;
    for (struct upcr_site *s = resting; s; s = s->resting)
        s->skip = 0;
}

/* The context of a region in which the program is, new if none such was entered before. */
static struct upcr_region *in_context(struct upcr_region *r)
{
    const unsigned long functions = upcr_functions & (~0UL >> (64 - 16 * upcr_sample.callers));
    unsigned long at = (((unsigned long)(uintptr_t)r / sizeof *r) ^ functions) * 0x9E3779B97F4A7C15UL >> 50;
    for (; contexts[at].of; at = (at + 1) % CONTEXTS)
        if (contexts[at].of == r && contexts[at].functions == functions)
            return &contexts[at].region;
    if (contexts_used == CONTEXTS / 2)
        return &crowd;
    contexts_used++;
    contexts[at].of = r;
    contexts[at].functions = functions;
    contexts[at].region.weight = r->weight;
    return &contexts[at].region;
}

/* What a site has accessed elsewhere says little of a context that is entered for the first time. */
static void sites_anew(void)
{
    for (struct upcr_site *s = upcr_sites_begin(); s < upcr_sites_end(); s++)
        if (s->chance > 0) {
            s->chance = 1;
            s->looks = 0;
        }
}

/* How many iterations of a loop were left when it was entered last. */
static long left_of(const struct upcr_region *r)
{
    return r->in && r->in->in == r ? r->in->left : r->left;
}

/* Whether a loop that was entered last, or is gone through now, is one of which some iterations are not recorded. */
static int loops_left_out(void)
{
    const struct upcr_region *r = entered;
    while (r && left_of(r) > 0)
        r = r->entered;
    return r != NULL;
}

int upcr_sample_unlocks(void)
{
    locks -= locks > 0;
    return !upcr_sample.relaxed || left_out ||
           (recorded == 0 && (upcr_sample.function || (upcr_sample.loop && loops_left_out())));
}

void upcr_sample_recorded(void)
{
    recorded++;
}

/*
 * For how much of a recorded call so many iterations of a loop count: ITERATIONS of them for a whole one, and fewer if
 * each has short loops in it, which take their time, too; but at most for one whole call.
 */
static double part(const struct upcr_region *r, long iterations)
{
    double plain = (double)(iterations + 1) / ITERATIONS, weighed = (double)iterations * r->weight / ITERATIONS;
    return plain > 1 ? plain : fmax(plain, fmin(weighed, 1));
}

/* Whether a region is recorded this time, and for how many iterations. */
static long grant(struct upcr_region *r, int loop)
{
    if (r->chance == 0) {
        r->chance = 1;
        r->entered = entered;
        entered = r;
        if (r->in)
            sites_anew();
    } else if (too_much()) {
        r->skip = RESTS;
        return 0;
    } else if (r->recorded && loop) {
        r->recorded = 0;
        long left = left_of(r), used = r->granted - (left > 0 ? left : 0);
        if (upcr_sample.proportional)
            r->chance = upcr_sample.of_region;
        else
            r->chance *= upcr_sample.of_region > 0 ? pow(upcr_sample.of_region, part(r, used)) : 0x1p-60;
        r->skip = passed(r->chance);
        if (r->skip-- > 0)
            return 0;
        r->skip = 0;
    }
    wake_all();
    double iterations = upcr_sample.proportional ? ITERATIONS : (double)ITERATIONS * r->chance;
    r->granted = r->left = iterations > LEAST ? (long)iterations : LEAST;
    r->recorded = 1;
    if (!loop) {
        r->chance *= upcr_sample.of_region;
        r->skip = passed(r->chance);
    }
    return r->granted;
}

static long chance(struct upcr_region *r, int loop)
{
    if (!upcr_recording || !upcr_sample.relaxed) {
        r->skip = AWHILE;
        return 0;
    }
    if (!(loop ? upcr_sample.loop : upcr_sample.function)) {
        r->skip = -1; /* most functions are called far more often than their accesses are recorded */
        return LONG_MAX;
    }
    if (!contexts)
        return grant(r, loop);
    struct upcr_region *here = in_context(r);
    if (here->skip > 0) {
        here->skip--;
        return 0;
    }
    /* The program counts in r, for the context that was granted iterations last. */
    if (r->in)
        r->in->left = r->left;
    here->in = r;
    long granted = grant(here, loop);
    if (granted > 0) {
        r->in = here;
        r->left = granted;
    }
    return granted;
}

long upcr_chance(struct upcr_region *r, int loop)
{
    upcr_record_take();
    long granted = chance(r, loop);
    upcr_record_drop();
    return granted;
}

/* A number in [0, 1) that all threads give a place (Fibonacci hashing). */
static double of_place(upcr_ptr p)
{
    return (double)(((p & UPCR_PLACE_MASK) / GRAIN + upcr_sample.seed) * 0x9E3779B97F4A7C15UL >> 11) * 0x1p-53;
}

int upcr_sample_site(struct upcr_site *site, upcr_ptr p)
{
    if (!upcr_sample.site)
        return 1;
    if (site->chance == 0) {
        site->chance = 1;
    } else if (too_much()) {
        pass_over(site, RESTS);
        left_out = 1;
        return 0;
    }
    if (locks > 0)
        return 1;
    if (upcr_sample.loop) {
        if (site->looks < SURE) {
            site->looks++;
            return 1;
        }
        double place = of_place(p);
        int taken = place < (double)site->chance || place < FEW;
        if (taken)
            site->chance *= upcr_sample.of_site;
        if (++site->looks > LOOKS)
            pass_over(site, passed(FEW));
        else if (!taken && p - site->left_out == site->apart_out)
            pass_over(site, (long)(draw() * ROW)); /* one of a row */
        site->apart_out = p - site->left_out;
        site->left_out = p;
        return taken;
    }
    site->chance *= upcr_sample.of_site;
    pass_over(site, passed(site->chance));
    return 1;
}

void upcr_sample_begin(const char *path, int thread)
{
    struct upcr_sampling *s = &upcr_sample;
    FILE *f = fopen(path, "re");
    if (!f ||
        fscanf(f, "%d %d %d %d %d %f %f %lf %d %d %d %lu", &s->relaxed, &s->function, &s->loop, &s->site, &s->persist,
               &s->of_region, &s->of_site, &s->slowdown, &s->proportional, &s->callers, &s->shared, &s->seed) != 12)
        *s = (struct upcr_sampling){.relaxed = 1};
    if (f)
        fclose(f);
    s->seed *= 0xD1B54A32D192ED03UL; /* neighbours are far from each other */
    state = (0x9E3779B97F4A7C15UL * (uint64_t)(thread + 1)) ^ s->seed;
    state += state == 0;
    if (s->callers > 0)
        contexts = calloc(CONTEXTS, sizeof *contexts);
    for (struct upcr_site *site = upcr_sites_begin(); s->shared && site < upcr_sites_end(); site++)
        if (site->near)
            site->skip = LONG_MAX;
    began = now();
}
