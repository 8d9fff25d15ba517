// Calls blocked with arguments that come from constants, variables, memory and earlier calls, and says before what they
// are.
#include <stdio.h>
#include <stdlib.h>

void blocked(int a, void *b, long c, int d, unsigned e, short f, long g, void *h);
int later(int v);

#define CALL(a, b, c, d, e, f, g, h)                                                                               \
    do {                                                                                                           \
        printf("%d %lx %ld %d %u %d %ld %lx\n", (int)(a), (long)(b), (long)(c), (int)(d), (unsigned)(e), (int)(f), \
               (long)(g), (long)(h));                                                                              \
        fflush(stdout);                                                                                            \
        blocked(a, b, c, d, e, f, g, h);                                                                           \
    } while (0)

struct node {
    int id, peer;
    long tags[4];
    struct node *next;
};

static long global = 0x123456789a;
int exported = -7;
static struct node ring[4];

static __attribute__((noinline)) void constants(void)
{
    CALL(1, NULL, -2, -1, 0xffffffffu, -3, 1L << 40, (void *)0x44000000);
}

static __attribute__((noinline)) void locals(int n)
{
    int peer = (n + 1) % 4, buffer[16] = {n};
    long tag = n * 100L;
    CALL(peer, buffer, tag, n, (unsigned)peer * 3, (short)n, tag + 1, &buffer[n % 16]);
}

static __attribute__((noinline)) void globals(void)
{
    CALL(exported, &exported, global, exported + 1, 5, 6, global - 1, &global);
}

static __attribute__((noinline)) void members(struct node *at)
{
    CALL(at->id, at->next, at->tags[2], at->peer, (unsigned)at->next->id, 3, at->next->tags[at->id & 3], &at->tags[1]);
}

static __attribute__((noinline)) void loop(int n)
{
    for (int i = 0; i < n; i++)
        if (i == n - 1)
            CALL(i, &ring[i & 3], i * 8L, n - i, (unsigned)i, (short)(i + 1), (long)n << 33, &ring[i & 3].next);
        else
            later(i);
}

static __attribute__((noinline)) void choice(int n)
{
    int peer = n & 1 ? n - 1 : n + 1;
    CALL(peer, n > 2 ? &global : NULL, n ? 1 : 2, n, 0, 0, n > 1 ? 3 : 4, NULL);
}

static __attribute__((noinline)) void afterwards(int n)
{
    int peer = later(n);
    long other = later(n + 1);
    CALL(peer, &ring[1], other, later(n + 2), 9, 10, other * 2, (void *)other);
}

static __attribute__((noinline)) void cases(int n)
{
    int peer = -1;
    switch (later(n)) {
    case 1:
        peer = 11;
        break;
    case 2:
        peer = 22;
        break;
    case 3:
        peer = 33;
        break;
    case 4:
        peer = 44;
        break;
    case 5:
        peer = 55;
        break;
    case 6:
        peer = 66;
        break;
    }
    CALL(peer, NULL, 1, 2, 3, 4, 5, NULL);
}

static __attribute__((noinline)) void memory(int n)
{
    int *numbers = malloc(8 * sizeof *numbers);
    if (!numbers)
        abort();
    for (int i = 0; i < 8; i++)
        numbers[i] = later(i);
    volatile int changing = n;
    changing += 1;
    CALL(numbers[n & 7], numbers, numbers[1], changing, (unsigned)numbers[3], (short)numbers[2], numbers[4],
         numbers + 2);
    free(numbers);
}

#define SAY(a, b, c, d, e, f, g, h)                                                                            \
    printf("%d %lx %ld %d %u %d %ld %lx\n", (int)(a), (long)(b), (long)(c), (int)(d), (unsigned)(e), (int)(f), \
           (long)(g), (long)(h)),                                                                              \
        fflush(stdout)

// What was given to the function was read from memory that it changes.
static __attribute__((noinline)) void inner(int a, long c, int d)
{
    exported += 5;
    global *= 2;
    blocked(a, &exported, c, d, 1, 2, c, NULL);
}

static __attribute__((noinline)) void relay(int n)
{
    ring[1].peer = n;
    SAY(exported, &exported, global, ring[n & 3].peer, 1, 2, global, NULL);
    inner(exported, global, ring[n & 3].peer);
    later(n);
}

static __attribute__((noinline)) void updates(int n)
{
    int peer = -1, others = 0;
    for (int i = 0; i < n; i++) {
        if (ring[i & 3].peer & 1)
            peer = i;
        else
            others += later(i);
    }
    CALL(peer, NULL, others, n, (unsigned)peer, (short)others, peer + others, NULL);
}

static __attribute__((noinline)) void labels(int n)
{
    static void *const to[] = {&&first, &&second, &&third};
    int peer = 1;
    goto *to[later(n) % 3];
first:
    peer = 7;
second:
    peer += 2;
third:
    CALL(peer, NULL, peer, 3, 4, 5, 6, NULL);
}

static __attribute__((noinline)) void growing(int n)
{
    char *space = NULL;
    for (int i = 0; i <= n; i++) {
        space = __builtin_alloca(32);
        space[0] = (char)i;
    }
    CALL(n + 1, space, space[0], n, 1, 2, n * 3L, space + 1);
}

// The same instructions before two calls, of which one has returned.
static __attribute__((noinline)) void twice(int n)
{
    int peer = n;
    for (int i = 0; i < 2; i++) {
        if (i)
            blocked(peer, &ring[i], peer + 1, i, 1, 2, peer, NULL);
        else
            SAY(n + 3, &ring[1], n + 4, 1, 1, 2, n + 3, NULL);
        peer += 3;
    }
}

static int sum;

static __attribute__((noinline)) void count(int v)
{
    sum += v;
}

// What was given to the function is still in its registers after a call of another one, which changes only others.
static __attribute__((noinline)) void around(int a, long c, int d)
{
    count(d);
    blocked(a, &sum, c, d, 1, 2, c, NULL);
    count(d);
}

static __attribute__((noinline)) void beside(int n)
{
    SAY(n + 7, &sum, n + 5L, n, 1, 2, n + 5L, NULL);
    count(n);
    around(n + 7, n + 5L, n);
    later(n);
}

// The function is called as the last thing of another one, with other arguments than that has.
static __attribute__((noinline)) void last(int a, void *b, long c, int d, unsigned e, short f, long g, void *h)
{
    blocked(d, h, g + 1, a, e + 1, f, c, b);
}

static __attribute__((noinline)) void wrapped(int n)
{
    SAY(n, &sum, 8L, 5, 3, 4, 6L, &global);
    last(5, &global, 6, n, 2, 4, 7, &sum);
    later(n);
}

// Instructions that no reader of code knows: arguments are known by the debug information alone.
static __attribute__((noinline)) void unreadable(int n)
{
    int peer = later(n);
    SAY(peer, &sum, 8L, n - 1, 3, 4, 6L, NULL);
    if (n > 1000)
        __asm__ volatile(".byte 0x0f, 0x38, 0xf9, 0x00"); // movdiri %eax, (%rax)
    blocked(peer, &sum, 8, n - 1, 3, 4, 6, NULL);
    later(n + peer);
}

int main(int argc, char **argv)
{
    int which = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 3;
    for (int i = 0; i < 4; i++)
        ring[i] = (struct node){i, 3 - i, {i, 10 * i, 100 * i, 1000L * i}, &ring[(i + 1) % 4]};
    switch (which) {
    case 0:
        constants();
        break;
    case 1:
        locals(n);
        break;
    case 2:
        globals();
        break;
    case 3:
        members(&ring[n & 3]);
        break;
    case 4:
        loop(n + 1);
        break;
    case 5:
        choice(n);
        break;
    case 6:
        afterwards(n);
        break;
    case 7:
        cases(n);
        break;
    case 8:
        memory(n);
        break;
    case 9:
        relay(n);
        break;
    case 10:
        updates(n);
        break;
    case 11:
        labels(n);
        break;
    case 12:
        growing(n);
        break;
    case 13:
        twice(n);
        break;
    case 14:
        beside(n);
        break;
    case 15:
        wrapped(n);
        break;
    case 16:
        unreadable(n);
        break;
    }
}
