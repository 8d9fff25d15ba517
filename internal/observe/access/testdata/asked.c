// Whether loops ask before they are run, how often, and what the answer is. It is compiled by unknot, with optimisation.
#include "objects/access.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, ROW = 64 };

static struct {
    double before[8], a[N], behind[8], b[N + 2], grid[ROW][ROW], sum;
    int chosen[N], at[N];
} m;
struct object {
    double *data;
    int n;
};
static double *volatile anywhere;
static int asked, wanted, touched, failures;

int __real___link_by_unknot_mpicc_wanted(uintptr_t, intptr_t, size_t, size_t, int);
int __wrap___link_by_unknot_mpicc_wanted(uintptr_t at, intptr_t step, size_t again, size_t size, int bits);
int __wrap___link_by_unknot_mpicc_wanted(uintptr_t at, intptr_t step, size_t again, size_t size, int bits)
{
    const int answer = __real___link_by_unknot_mpicc_wanted(at, step, again, size, bits);
    asked++;
    wanted += answer;
    return answer;
}

static void touch(uintptr_t at, size_t size, int how, uintptr_t site)
{
    (void)at, (void)size, (void)how, (void)site;
    touched++;
}

#define LOOP __attribute__((noipa)) static void

LOOP loads(double *a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    anywhere = sum > 1 ? a : NULL;
}

LOOP stores(double *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = i;
}

LOOP backwards(double *a, int n)
{
    for (int i = n - 1; i >= 0; i--)
        a[i] = i;
}

LOOP by_pointer(double *a, int n)
{
    for (double *end = a + n; a < end; a++)
        *a = 1;
}

LOOP every_third(double *a, unsigned n)
{
    for (size_t i = 0; i < n; i += 3)
        a[i] = 1;
}

LOOP neighbours(const double *restrict b, double *restrict a, int n)
{
    for (int i = 1; i <= n; i++)
        a[i - 1] = b[i - 1] + b[i] + b[i + 1];
}

LOOP column(int x, int n)
{
    for (int y = 0; y < n; y++)
        m.grid[y][x] = y;
}

LOOP by_stride(double *a, int n, int stride)
{
    for (int i = 0; i < n; i++)
        a[i * stride] = i;
}

LOOP rows(void)
{
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < ROW; x++)
            m.grid[y][x] = x;
}

LOOP of_object(struct object *o)
{
    for (int i = 0; i < o->n; i++)
        o->data[i] = 1;
}

LOOP if_chosen(double *a, int n)
{
    for (int i = 0; i < n; i++)
        if (m.chosen[i])
            a[i] = 1;
}

LOOP if_chosen_by_stride(double *a, int n, int stride)
{
    for (int i = 0; i < n; i++)
        if (m.chosen[i])
            a[(long)i * stride] = 1;
}

LOOP gather(double *restrict to, const double *restrict from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[m.at[i]];
}

LOOP of_volatile(volatile double *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = 1;
}

LOOP until_zero(double *a, int n)
{
    for (int i = 0; i < n && a[i] != 0; i++)
        a[i] = 1;
}

#define EIGHT(k) (a[k][i] + a[k + 1][i] + a[k + 2][i] + a[k + 3][i] + a[k + 4][i] + a[k + 5][i] + a[k + 6][i] + a[k + 7][i])
#define SIXTY_FOUR (EIGHT(0) + EIGHT(8) + EIGHT(16) + EIGHT(24) + EIGHT(32) + EIGHT(40) + EIGHT(48) + EIGHT(56))

LOOP of_64_arrays(double **a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += SIXTY_FOUR;
    m.sum = sum;
}

LOOP of_65_arrays(double **a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += SIXTY_FOUR + a[64][i];
    m.sum = sum;
}

static void expect(const char *what, int questions, int answers, int touches)
{
    if (asked == questions && wanted == answers && touched == touches)
        return;
    printf("%s: %d questions, of which %d found something, %d accesses; expected %d, %d, %d\n", what, asked, wanted, touched, questions, answers, touches);
    failures++;
}

// Runs a loop with one byte of the shadow marked.
#define RUN(mark, bits, loop, questions, answers, touches) \
    do { \
        unsigned char *const p = uk_shadow((uintptr_t)(mark)); \
        asked = wanted = touched = 0; \
        *p = bits; \
        loop; \
        *p = 0; \
        expect(#loop " with " #mark, questions, answers, touches); \
    } while (0)

enum { BOTH = UK_SHADOW_LOADS | UK_SHADOW_STORES, STORES = UK_SHADOW_STORES, LOADS = UK_SHADOW_LOADS };

// A loop over m.a of which the last element that it accesses is 63.
#define BOUNDS(bits, loop) \
    RUN(m.before + 7, bits, loop, 1, 0, 0); \
    RUN(m.a, bits, loop, 1, 1, 1); \
    RUN(m.a + 30, bits, loop, 1, 1, 1); \
    RUN(m.a + 63, bits, loop, 1, 1, 1); \
    RUN(m.behind, bits, loop, 1, 0, 0)

static void steps(void)
{
    struct object object = {m.a, N};
    BOUNDS(LOADS, loads(m.a, N));
    BOUNDS(STORES, stores(m.a, N));
    BOUNDS(BOTH, backwards(m.a, N));
    BOUNDS(BOTH, by_pointer(m.a, N));
    BOUNDS(BOTH, every_third(m.a, N));
    BOUNDS(BOTH, of_object(&object));
    BOUNDS(BOTH, by_stride(m.a, N, 1));
    BOUNDS(BOTH, by_stride(m.a + 63, N, -1));
    RUN(m.a, STORES, loads(m.a, N), 1, 0, 0);
    RUN(m.a, LOADS, stores(m.a, N), 1, 0, 0);
    RUN(m.a, BOTH, by_stride(m.a, N, 0), 1, 1, N);
}

static void lengths(void)
{
    RUN(m.a, BOTH, stores(m.a, 0), 0, 0, 0);
    RUN(m.a, BOTH, stores(m.a, -5), 0, 0, 0);
    RUN(m.a + 3, BOTH, stores(m.a, 15), 0, 0, 1);
    RUN(m.a + 3, BOTH, stores(m.a, 16), 1, 1, 1);
    RUN(m.a + 3, BOTH, every_third(m.a, 45), 0, 0, 1);
    RUN(m.a + 3, BOTH, every_third(m.a, 46), 1, 1, 1);
    for (int n = 16; n < N; n++) {
        RUN(m.a + n - 1, BOTH, stores(m.a, n), 1, 1, 1);
        RUN(m.a + n, BOTH, stores(m.a, n), 1, 0, 0);
        RUN(m.a + n / 2, BOTH, stores(m.a, n), 1, 1, 1);
    }
}

// What is not marked between two elements that are far apart may be; that between near ones is looked at.
static void rows_and_columns(void)
{
    RUN(&m.grid[3][4], BOTH, column(4, ROW), 1, 1, 1);
    RUN(&m.grid[3][5], BOTH, column(4, ROW), 1, 0, 0);
    RUN(&m.grid[63][4], BOTH, by_stride(&m.grid[0][4], ROW, ROW), 1, 1, 1);
    RUN(&m.grid[0][4], BOTH, by_stride(&m.grid[63][4], ROW, -ROW), 1, 1, 1);
    RUN(&m.grid[63][5], BOTH, by_stride(&m.grid[63][4], ROW, -ROW), 1, 0, 0);
    RUN(m.a + 31, BOTH, every_third(m.a, N), 1, 1, 0);
    RUN(&m.grid[3][4], BOTH, rows(), 8, 1, 1);
    RUN(&m.grid[8][0], BOTH, rows(), 8, 0, 0);
}

// Accesses next to each other are one range.
static void several(void)
{
    RUN(m.b, BOTH, neighbours(m.b, m.a, N), 2, 1, 1);
    RUN(m.b + 5, BOTH, neighbours(m.b, m.a, N), 2, 1, 3);
    RUN(m.b + N + 1, BOTH, neighbours(m.b, m.a, N), 2, 1, 1);
    RUN(m.grid, BOTH, neighbours(m.b, m.a, N), 2, 0, 0);
    RUN(m.b + 3, BOTH, gather(m.a, m.b, N), 2, 0, 1);
    RUN(m.a + 3, BOTH, gather(m.a, m.b, N), 2, 1, 1);
}

// An access that is not made may have any address.
static void conditions(void)
{
    double *const top = (double *)(UK_ACCESS_TOP - 64), *const end = (double *)(uintptr_t)-64;
    RUN(m.a, BOTH, if_chosen(top, N), 2, 1, 0);
    RUN(m.a, BOTH, if_chosen(end, N), 2, 1, 0);
    RUN(m.a, BOTH, if_chosen(NULL, N), 2, 0, 0);
    RUN(m.a, BOTH, if_chosen_by_stride(m.a, N, 1 << 28), 1, 0, 0);
    m.chosen[10] = 1;
    RUN(m.a + 10, BOTH, if_chosen(m.a, N), 2, 1, 1);
    RUN(m.a + 11, BOTH, if_chosen(m.a, N), 2, 1, 0);
    RUN(m.a + 20, BOTH, if_chosen_by_stride(m.a, N, 2), 1, 0, 1);
}

static void not_asked(struct uk_access *page)
{
    double *arrays[65];
    for (int k = 0; k < 65; k++)
        arrays[k] = k == 7 ? m.b : m.a;
    RUN(m.b + 1, BOTH, of_64_arrays(arrays, N), 64, 1, 1);
    RUN(m.b + 1, BOTH, of_65_arrays(arrays, N), 0, 0, 1);
    m.a[0] = m.a[1] = 1;
    RUN(m.a, BOTH, of_volatile(m.a, N), 0, 0, 1);
    RUN(m.a, BOTH, until_zero(m.a, 2), 0, 0, 2);
    page->wanted = 0;
    RUN(m.a, BOTH, stores(m.a, N), 0, 0, 0);
    page->wanted = 1;
    page->shadow = UK_SHADOW_PIECES;
    RUN(m.behind, BOTH, stores(m.a, N), 1, 1, 0);
    page->shadow = UK_SHADOW_WHOLE;
}

int main(void)
{
    struct uk_access *const page = uk_access_page();
    if (page->shadow != UK_SHADOW_WHOLE)
        return 3;
    page->touch = touch;
    page->wanted = 1;
    for (int i = 0; i < N; i++)
        m.at[i] = N - 1 - i;
    steps();
    lengths();
    rows_and_columns();
    several();
    conditions();
    not_asked(page);
    return failures > 0;
}
