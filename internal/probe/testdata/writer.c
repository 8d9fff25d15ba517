// Drives the probe's writer without MPI: argv[1] is the session, argv[2] the scene.
#include "writer/writer.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
    if (strcmp(argv[2], "lengths") == 0)
        lengths(t, n);
    else if (strcmp(argv[2], "parts") == 0)
        parts(t, n);
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
