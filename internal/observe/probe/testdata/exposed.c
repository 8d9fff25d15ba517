// Holds objects/exposed.c to a naive account of which bytes were accessed. Arguments: a seed, how many accesses are made, and "all" or "some" of them, or "bound": as few as a bound that is always exceeded leaves.
#define _GNU_SOURCE
#include "objects/exposed.h"
#include "objects/shadow.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, size_t at)
{
    printf("%s at byte %zu\n", what, at);
    exit(1);
}

enum { SIZE = 4096, PLACES = 12, EACH = 300, LOAD = 1, STORE = 2 };
static unsigned char *memory, seen[SIZE], before[SIZE], told[SIZE], inside[SIZE];
static bool ordered;
static uint64_t state;

static unsigned any(unsigned n) // below n
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(state >> 33) % n;
}

// A place in the code: it goes through memory in steps, or anywhere.
static struct {
    unsigned at, size;
    int step;
} places[PLACES];

// What compiled code does.
static void access_memory(unsigned at, unsigned size, int how, uintptr_t site)
{
    const unsigned char wanted = how & UK_ACCESS_STORE ? UK_SHADOW_STORES : UK_SHADOW_LOADS;
    bool some = false;
    for (unsigned char *p = uk_shadow((uintptr_t)memory + at), *end = uk_shadow((uintptr_t)memory + at + size - 1) + 1; p < end; p++)
        some = some || (*p & wanted);
    if (some)
        uk_exposed_touch((uintptr_t)memory + at, size, how, site, 0);
    if (how & UK_ACCESS_ORDERS) {
        bool met = false;
        for (unsigned i = at; i < at + size; i++)
            met = met || (some && inside[i]);
        if (!ordered && met)
            memcpy(before, seen, SIZE);
        ordered = ordered || met;
        return;
    }
    for (unsigned i = at; i < at + size; i++)
        if (inside[i])
            seen[i] |= how & UK_ACCESS_STORE ? STORE : LOAD;
}

static void one_access(void)
{
    const unsigned k = any(PLACES);
    if (any(20) == 0)
        places[k].at = any(SIZE);
    places[k].at = (places[k].at + (unsigned)(places[k].step ? places[k].step : (int)any(SIZE))) % SIZE;
    if (places[k].at + places[k].size <= SIZE)
        access_memory(places[k].at, places[k].size, k % 2 ? UK_ACCESS_STORE : 0, 0x1000 + 16 * k);
}

static bool behind;

static void take(void *to, const struct uk_exposed_runs *r)
{
    (void)to;
    if (r->how & UK_ACCESS_ORDERS) {
        behind = true;
        return;
    }
    for (size_t n = 0; n < r->n; n++)
        for (size_t i = 0; i < r->size; i++) {
            const size_t byte = (size_t)(r->low + n * (size_t)r->stride + i - (uintptr_t)memory);
            const unsigned char bit = r->how & UK_ACCESS_STORE ? STORE : LOAD;
            if (byte >= SIZE || !(seen[byte] & bit))
                fail("told of what was not accessed", byte);
            if (ordered && !behind && !(before[byte] & bit))
                fail("told before what comes before it", byte);
            told[byte] |= bit;
        }
}

static void tell(bool again, bool all)
{
    memset(told, 0, SIZE);
    behind = false;
    uk_exposed_tell(take, NULL, again);
    if (ordered != behind)
        fail("an access that orders ranks is not told", 0);
    for (size_t i = 0; all && i < SIZE; i++)
        if ((seen[i] & STORE) != (told[i] & STORE) || (seen[i] == LOAD && told[i] != LOAD))
            fail("not told of what was accessed", i);
    memset(seen, 0, SIZE);
    ordered = false;
}

static void add(uint64_t win, unsigned low, unsigned high)
{
    if (!uk_exposed_add(win, (uintptr_t)memory + low, (uintptr_t)memory + high))
        fail("no room for a window", low);
    memset(inside + low, 1, high - low);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    state = strtoull(argv[1], NULL, 10);
    const unsigned accesses = (unsigned)strtoul(argv[2], NULL, 10);
    const bool all = strcmp(argv[3], "all") == 0;
    const bool bound = strcmp(argv[3], "bound") == 0;
    uk_exposed_all = all || bound;
    uk_exposed_slowdown = bound;
    memory = uk_map_at(UINT64_C(0x10000000000), SIZE);
    if (!memory || !uk_map_at((uintptr_t)uk_shadow((uintptr_t)memory) & ~(uintptr_t)4095, 8192))
        return 3;
    for (unsigned k = 0; k < PLACES; k++) {
        static const int steps[] = {0, 1, 4, 8, 8, -8, 24, 40, 64, -4};
        places[k].size = 1u << any(5);
        places[k].step = steps[any(sizeof steps / sizeof *steps)];
        places[k].at = any(SIZE);
    }
    const unsigned middle = 100 + any(2000);
    add(1, any(100), middle);
    add(2, any(2) ? middle : middle + any(500), SIZE - any(100));
    unsigned owned = 0; // granules that an operation owns, too
    for (unsigned n = 0; n < accesses; n++) {
        one_access();
        if (any(200) == 0)
            access_memory(8 * any(SIZE / 8), 8, UK_ACCESS_ORDERS, 0x9000);
        if (any(50) == 0 && owned == 0) {
            for (owned = 8; owned < 40; owned++)
                uk_shadow_raise(uk_shadow((uintptr_t)memory) + owned, UK_SHADOW_STORES | UK_SHADOW_LOADS);
        } else if (any(50) == 0 && owned > 0) {
            for (; owned > 8; owned--)
                uk_shadow_lower(uk_shadow((uintptr_t)memory) + owned - 1);
            owned = 0;
        }
        if (any(EACH) == 0)
            tell(all || any(3) > 0, all);
    }
    for (; owned > 8; owned--)
        uk_shadow_lower(uk_shadow((uintptr_t)memory) + owned - 1);
    tell(true, all);
    for (uintptr_t site = 1; bound && site < 100; site++)
        if (!uk_exposed_wanted(site << 20))
            fail("not wanted behind a call that is new", site);
    for (uintptr_t site = 1; bound && site < 100; site++)
        if (uk_exposed_wanted(site << 20))
            fail("wanted behind a call again", site);
    memcpy(before, inside, SIZE);
    add(3, 1000, 1100); // in the others, as far as they are there, which keep their marks
    if (uk_exposed_drop(3, 0) != 1)
        fail("a window is not known", 0);
    for (unsigned i = 0; i < SIZE; i += 8)
        if (before[i] && !(*uk_shadow((uintptr_t)memory + i) & UK_SHADOW_STORES))
            fail("a mark is gone", i);
    if (uk_exposed_drop(1, 0) != 1 || uk_exposed_drop(2, 0) != 1)
        fail("a window is not known", 0);
    for (size_t i = 0; i < SIZE / 8; i++)
        if (uk_shadow((uintptr_t)memory)[i] != 0)
            fail("a mark is left", 8 * i);
    return 0;
}
