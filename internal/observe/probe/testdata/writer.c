// Drives the probe's writer without MPI: argv[1] is the session, argv[2] the scene.
#include "writer/writer.h"
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static struct uk_control *control(const char *session)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/control", session);
    int fd = open(name, O_RDWR);
    struct uk_control *c = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return c == MAP_FAILED ? NULL : c;
}

// Records of every length, many times round the ring. Word j of record i is i + j.
static void lengths(struct uk_thread *t, unsigned records)
{
    for (unsigned i = 0; i < records; i++) {
        unsigned n = i * 7 % (UK_WORDS_MAX + 1);
        uint64_t *w = uk_begin(t, 1000, i % 2 ? UK_EXIT : UK_ENTER, i, n);
        for (unsigned j = 0; j < n; j++)
            w[j] = i + j;
        uk_commit(t);
    }
}

// Records of any length, of all forms: n, n ints from -1 downwards, n unsigned ones from 2^32-1 downwards, n words, a string.
static void parts(struct uk_thread *t, unsigned records)
{
    static int ints[3000];
    static unsigned uints[3000];
    static uint64_t words[3000];
    static char string[3000];
    for (int i = 0; i < 3000; i++) {
        ints[i] = -1 - i;
        uints[i] = 0xffffffffu - (unsigned)i;
        words[i] = (uint64_t)i << 40;
        string[i] = (char)('a' + i % 26);
    }
    for (unsigned i = 0; i < records; i++) {
        size_t n = i * 13 % 3000;
        uint64_t head = n;
        struct uk_chunk chunks[] = {{&head, 1, UK_WORDS},    {ints, n, UK_INTS},   {uints, n, UK_UINTS},
                                    {words, n, UK_WORDS}, {string, n, UK_BYTES}};
        uk_long(t, 1001, UK_ENTER, i, chunks, 5);
        uk_returned(t);
    }
}

// The same record again and again, and after which the bell has been rung. The ring is one that the agent has opened.
static void bell(struct uk_thread *t, unsigned records)
{
    __atomic_store_n(&t->ring->reader, UK_READER_THERE, __ATOMIC_RELEASE);
    for (unsigned i = 1, heard = t->control->bell; i <= records; i++) {
        uk_begin(t, 1000, UK_ENTER, 1, 1)[0] = 7;
        uk_commit(t);
        if (t->control->bell != heard)
            printf("rung after %u\n", i);
        heard = t->control->bell;
    }
}

// A poll that fails five times, succeeds, then fails once.
static void polls(struct uk_thread *t)
{
    uint64_t words[] = {1, 2, 3};
    for (int i = 0; i < 7; i++) {
        bool success = i == 5;
        bool same = uk_poll_same(t, 1002, 77, 3, words);
        if (!same) {
            memcpy(uk_begin(t, 1002, UK_ENTER, 77, 3), words, sizeof words);
            uk_commit(t);
        }
        if (!success) {
            uk_poll_miss(t);
            printf("%d %u\n", (int)t->ring->polls, t->ring->returned);
        } else {
            uk_begin(t, 1002, UK_EXIT, 0, 1)[0] = 1;
            uk_commit(t);
            printf("%d %u\n", (int)t->ring->polls, t->ring->returned);
        }
    }
}

// The words of a record, and how it is written, follow from its number alone. From ECHOES on it may be left out.
enum { REPEATED_MOST = 2600, ECHOES = 2000000 };
static void echo(struct uk_thread *t, unsigned id)
{
    unsigned code = id - ECHOES, n = code % 9;
    uint64_t *w = uk_begin(t, 1000 + id % 5, UK_ENTER, id, n);
    for (unsigned j = 0; j < n; j++)
        w[j] = id ^ j;
    uk_commit_as(t, (struct uk_effect){code % 5, code / 5 % 2, (int64_t)(code / 10 % 3) - 1});
    uk_returned(t);
}

static size_t unmade; // records that were counted without being made

static void repeated(struct uk_thread *t, unsigned id)
{
    if (id >= ECHOES) {
        echo(t, id);
        return;
    }
    static uint64_t words[REPEATED_MOST];
    unsigned n = id % 29 == 28 ? REPEATED_MOST : id * 7 % 40, kind = id % 3 == 2 ? UK_DATA : id % 3 == 1 ? UK_EXIT : UK_ENTER;
    for (unsigned j = 0; j < n; j++)
        words[j] = id ^ j;
    if (n > UK_WORDS_MAX) {
        struct uk_chunk chunk = {words, n, UK_WORDS};
        uk_long(t, 1000 + id % 5, kind, id, &chunk, 1);
        return;
    }
    if (id % 2 == 0 && uk_counts(t, 1000 + id % 5, kind, id, n, words)) {
        unmade++;
        return;
    }
    uint64_t *w = uk_begin(t, 1000 + id % 5, kind, id, n);
    if (n > 0)
        memcpy(w, words, n * sizeof *w);
    uk_commit(t);
}

// Writes what a file says: numbers of records, and loops between LOOP, their times, and END.
enum { LOOP = 1000000, END };
static volatile sig_atomic_t done; // records since the last jump
static const uint32_t *volatile next_part; // of the file: what follows on the outermost loop, or record, that has begun last
static void script(struct uk_thread *t, const uint32_t *at, const uint32_t *end)
{
    struct {
        const uint32_t *begin;
        uint32_t left;
    } loops[8];
    int depth = 0;
    for (; at < end; at++) {
        if (depth == 0) {
            const uint32_t *after = at;
            int inner = 0;
            do {
                inner += *after == LOOP ? 1 : *after == END ? -1 : 0;
                after += *after == LOOP ? 2 : 1;
            } while (inner > 0);
            next_part = after;
        }
        if (*at == LOOP) {
            loops[depth].left = at[1];
            loops[depth++].begin = at + 1;
            at++;
        } else if (*at == END) {
            if (--loops[depth - 1].left > 0)
                at = loops[depth - 1].begin;
            else
                depth--;
        } else {
            repeated(t, *at);
            done++;
        }
    }
}

static sigjmp_buf landing;
static volatile sig_atomic_t writes;
static void jump(int sig)
{
    (void)sig;
    if (writes)
        siglongjmp(landing, 1);
}

// The same, left by jumps every so many microseconds: then it says how many records came since the last one and where it goes on, at the
// part of the file that follows.
static void jumps(struct uk_thread *t, const uint32_t *at, const uint32_t *end, unsigned every)
{
    struct sigaction act = {.sa_handler = jump};
    sigaction(SIGALRM, &act, NULL);
    struct itimerval timer = {.it_interval = {.tv_usec = every}, .it_value = {.tv_usec = every}};
    static const uint32_t *volatile from;
    from = next_part = at;
    setitimer(ITIMER_REAL, &timer, NULL);
    if (sigsetjmp(landing, 1)) {
        writes = 0;
        from = next_part;
        uint64_t *w = uk_begin(t, 2000, UK_DATA, 0, 2);
        w[0] = (uint64_t)done;
        w[1] = (uint64_t)(from - at);
        uk_commit(t);
        done = 0;
    }
    writes = 1;
    script(t, from, end);
    writes = 0;
    timer = (struct itimerval){{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &timer, NULL);
    uint64_t *w = uk_begin(t, 2000, UK_DATA, 0, 2);
    w[0] = (uint64_t)done;
    w[1] = (uint64_t)(end - at);
    uk_commit(t);
}

static uint32_t *read_script(const char *name, size_t *n)
{
    int fd = open(name, O_RDONLY);
    off_t bytes = lseek(fd, 0, SEEK_END);
    uint32_t *text = malloc((size_t)bytes + 1);
    *n = (size_t)bytes / sizeof *text;
    if (pread(fd, text, (size_t)bytes, 0) != bytes)
        exit(3);
    close(fd);
    return text;
}

// Time per record of six words when the ring never fills (its consumer is a store here).
static void speed(struct uk_thread *t)
{
    struct timespec a, b;
    unsigned n = 20000000;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (unsigned i = 0; i < n; i++) {
        uint64_t *w = uk_begin(t, 1000, UK_ENTER, i, 6);
        for (unsigned j = 0; j < 6; j++)
            w[j] = i + j;
        uk_commit(t);
        t->ring->tail = t->head;
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%.1f\n", ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / n);
}

int main(int argc, char **argv)
{
    struct uk_control *c = argc == 4 ? control(argv[1]) : NULL;
    static struct uk_thread thread; // uk_self would do, but for the sanitizer, which takes its address for null
    struct uk_thread *t = &thread;
    if (!c)
        return 2;
    t->rest = UK_OPEN;
    if (!uk_ring_create(t, argv[1], c, 0)) {
        perror("ring");
        return 1;
    }
    unsigned n = (unsigned)atoi(argv[3]);
    if (strncmp(argv[2], "script:", 7) == 0) {
        size_t words;
        uint32_t *text = read_script(argv[2] + 7, &words);
        if (n > 0)
            jumps(t, text, text + words, n);
        else
            script(t, text, text + words);
        uk_fold_end(t);
        printf("%zu unmade, ", unmade);
        free(text);
    }
    if (strcmp(argv[2], "lengths") == 0)
        lengths(t, n);
    else if (strcmp(argv[2], "parts") == 0)
        parts(t, n);
    else if (strcmp(argv[2], "bell") == 0)
        bell(t, n);
    else if (strcmp(argv[2], "polls") == 0)
        polls(t);
    else if (strcmp(argv[2], "refused") == 0) {
        __atomic_store_n(&t->ring->reader, UK_READER_UNREAD, __ATOMIC_RELEASE);
        lengths(t, n);
    } else if (strcmp(argv[2], "spoiled") == 0) {
        t->ring->magic++;
        __atomic_store_n(&c->failed, 1, __ATOMIC_RELEASE);
        lengths(t, n);
    } else if (strcmp(argv[2], "damaged") == 0) {
        __atomic_store_n(&t->ring->tail, UINT64_C(1) << 40, __ATOMIC_RELEASE);
        lengths(t, n);
    } else if (strcmp(argv[2], "speed") == 0)
        speed(t);
    printf("%s\n", t->rest == UK_OFF ? "aside" : "watched");
    return 0;
}
