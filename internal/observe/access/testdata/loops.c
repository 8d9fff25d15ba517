// Runs random loops (loops_test.go) as compiled by unknot and naively, with marks in the shadow of what they access and beside it. The runtime must
// be told of the same bytes. Argument: a seed. It prints how often loops were told that they reach nothing that is wanted.
#include "loops.h"
#include "objects/access.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct memory m;
static struct memory first, after;
static unsigned char naive[2][sizeof m], told[2][sizeof m], all[sizeof m];
static int nothing_wanted;
static uint64_t state;

static unsigned any(unsigned n) // below n
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(state >> 33) % n;
}

void *loops_note(const volatile void *at, size_t size, int store)
{
    const uintptr_t low = (uintptr_t)at - (uintptr_t)&m;
    int marked = 0;
    for (unsigned char *p = uk_shadow((uintptr_t)at); p <= uk_shadow((uintptr_t)at + size - 1); p++)
        marked |= *p & (store ? UK_SHADOW_STORES : UK_SHADOW_LOADS);
    memset(all + low, 1, size);
    if (marked)
        memset(naive[store] + low, 1, size);
    return (void *)at;
}

static void touch(uintptr_t at, size_t size, int how, uintptr_t site)
{
    (void)site;
    memset(told[how & UK_ACCESS_STORE ? 1 : 0] + (at - (uintptr_t)&m), 1, size);
}

int __real___link_by_unknot_mpicc_wanted(uintptr_t, intptr_t, size_t, size_t, int);
int __wrap___link_by_unknot_mpicc_wanted(uintptr_t at, intptr_t step, size_t again, size_t size, int bits);
int __wrap___link_by_unknot_mpicc_wanted(uintptr_t at, intptr_t step, size_t again, size_t size, int bits)
{
    const int answer = __real___link_by_unknot_mpicc_wanted(at, step, again, size, bits);
    nothing_wanted += !answer;
    return answer;
}

static void mark(size_t granule)
{
    static const unsigned char bits[] = {UK_SHADOW_LOADS | UK_SHADOW_STORES, UK_SHADOW_STORES, UK_SHADOW_LOADS};
    if (granule < sizeof m / 8)
        *(uk_shadow((uintptr_t)&m) + granule) = bits[any(3)];
}

// Marks something that the loop accesses, or the word of memory before or behind the accesses, or anything.
static void mark_some(void)
{
    size_t low = 0, high = sizeof m;
    while (low < sizeof m && !all[low])
        low++;
    while (high > low && !all[high - 1])
        high--;
    const unsigned kind = any(6);
    if (kind == 0)
        mark(low / 8);
    else if (kind == 1 && high > 0)
        mark((high - 1) / 8);
    else if (kind == 2 && low >= 8)
        mark(low / 8 - 1);
    else if (kind == 3)
        mark((high + 7) / 8);
    else if (kind == 4)
        mark(any(sizeof m / 8));
    for (int tries = 0; kind == 5 && tries < 100000; tries++) {
        const size_t at = any(sizeof m);
        if (all[at]) {
            mark(at / 8);
            return;
        }
    }
}

static void fail(const struct loop *l, int n, const char *what, size_t at)
{
    printf("with n = %d %s at byte %zu:\n%s\n", n, what, at, l->text);
    exit(1);
}

static void once(const struct loop *l, int n)
{
    memset(all, 0, sizeof all);
    memcpy(&m, &first, sizeof m);
    m.count = n;
    l->naive(n); // for `all`
    memset(uk_shadow((uintptr_t)&m), 0, sizeof m / 8);
    for (unsigned marks = any(3); marks > 0; marks--)
        mark_some();
    memset(naive, 0, sizeof naive);
    memcpy(&m, &first, sizeof m);
    m.count = n;
    l->naive(n);
    memcpy(&after, &m, sizeof m);
    memcpy(&m, &first, sizeof m);
    m.count = n;
    memset(told, 0, sizeof told); // of the copying, too
    l->tested(n);
    for (size_t i = 0; i < sizeof m; i++) {
        if (((unsigned char *)&m)[i] != ((unsigned char *)&after)[i])
            fail(l, n, "the loop computes something else", i);
        for (int store = 0; store < 2; store++)
            if (naive[store][i] != told[store][i])
                fail(l, n, naive[store][i] ? "an access is not told" : "there is no such access", i);
    }
}

int main(int argc, char **argv)
{
    static const int turns[] = {0, 1, 2, 15, 16, 17, 40, 61};
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    struct uk_access *const page = uk_access_page();
    if (page->shadow != UK_SHADOW_WHOLE)
        return 3;
    page->touch = touch;
    page->wanted = 1;
    for (unsigned i = 0; i < LENGTH; i++) {
        first.c[i] = (char)any(100), first.s[i] = (short)any(100), first.i[i] = (int)any(100);
        first.f[i] = (float)any(100), first.d[i] = any(100), first.e[i] = any(100), first.grid[i / ROW][i % ROW] = any(100);
        first.p[i] = (struct point){any(100), any(100), any(100)};
        first.chosen[i] = (int)any(3), first.at[i] = (int)any(LENGTH);
    }
    first.to = m.out, first.from = m.d, first.stride = 1 + (int)any(50);
    for (int k = 0; k < loops_count; k++)
        for (int round = 0; round < 40; round++)
            once(&loops[k], turns[any(sizeof turns / sizeof *turns)]);
    printf("%d\n", nothing_wanted);
    return 0;
}
