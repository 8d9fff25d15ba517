// Drives the library that follows the heap: preloaded, or with HEAP_INCLUDED as a part of this program, under other names, so
// that a sanitizer can look at it. argv[1] is the scene.
#define _GNU_SOURCE
#ifdef HEAP_INCLUDED
#include "heap.c"
#else
#include "objects/heap.h"
#include "writer/ring.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#endif
#include <malloc.h>
#include <stdio.h>
#include <sys/wait.h>

static uk_heap_find_type *find;
static uk_heap_dead_type *dead;
static uk_heap_freed_type *take;
static unsigned *news;

static void fail(int line)
{
    printf("line %d fails\n", line);
    exit(1);
}
#define WANT(condition) \
    do \
        if (!(condition)) \
            fail(__LINE__); \
    while (0)

// A block is found from its first to its last byte, with the size that was asked for.
static void is_block(const volatile void *p, size_t size)
{
    uintptr_t at = (uintptr_t)p;
    struct uk_heap_block b;
    for (int i = 0; i < 3 && size > 0; i++) {
        WANT(find(i == 0 ? at : i == 1 ? at + size / 2 : at + size - 1, &b));
        WANT(b.from == at && b.to == at + size);
    }
    WANT(!find(at + size, &b) || b.from > at);
}

static void kinds(void)
{
    for (size_t size = 1; size < 1 << 22; size = size * 3 + 1) {
        void *p[5] = {malloc(size), calloc(size, 1), realloc(NULL, size), memalign(64, size), NULL};
        WANT(posix_memalign(&p[4], 4096, size) == 0);
        for (int i = 0; i < 5; i++)
            is_block(p[i], size);
        p[0] = realloc(p[0], 2 * size);
        is_block(p[0], 2 * size);
        p[0] = realloc(p[0], size / 2 + 1);
        is_block(p[0], size / 2 + 1);
        size_t usable = malloc_usable_size(p[1]);
        is_block(p[1], usable);
        for (int i = 0; i < 5; i++)
            free(p[i]);
    }
}

static void ends(void)
{
    struct uk_heap_block b[8];
    while (take(b, 8) > 0)
        ;
    char *volatile used = malloc(1000), *volatile other = malloc(1000), *volatile keep = malloc(1000), *volatile grown = malloc(10);
    uintptr_t at = (uintptr_t)used, from = (uintptr_t)grown;
    is_block(used, 1000);
    is_block(grown, 10);
    free(other);
    WANT(!*news);
    free(used);
    WANT(*news && take(b, 8) == 1 && b[0].from == at && b[0].to == at + 1000 && b[0].how == UK_FREED_FREE && b[0].site);
    WANT(!*news && !find(at + 5, b));
#ifndef HEAP_INCLUDED
    WANT(dead(at + 5, b) && b[0].from == at && b[0].site);
    WANT(!dead((uintptr_t)&at, b) && !dead((uintptr_t)keep, b));
#endif
    grown = realloc(grown, 1 << 20);
    WANT((uintptr_t)grown != from && take(b, 8) == 1 && b[0].from == from && b[0].to == from + 10 && b[0].how == UK_FREED_REALLOC);
    void *map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(map, 4096);
    WANT(take(b, 8) == 1 && b[0].from == (uintptr_t)map && b[0].how == UK_FREED_UNMAP);
    free(keep);
    free(grown);
}

// The address sanitizer's own allocator may not be used by the child of a process with several threads.
#ifdef HEAP_INCLUDED
enum { ROUNDS = 2000, CHILDREN = 0 };
#else
enum { ROUNDS = 20000, CHILDREN = 10 };
#endif

static void *churn(void *seed)
{
    enum { N = 100 };
    char *p[N] = {NULL};
    size_t size[N] = {0};
    unsigned r = (unsigned)(uintptr_t)seed;
    for (int i = 0; i < ROUNDS; i++) {
        r = r * 1664525 + 1013904223;
        unsigned k = r >> 8 & 63;
        if (p[k])
            is_block(p[k], size[k]);
        size[k] = (r >> 16) % 3000 + 1;
        p[k] = r >> 31 ? realloc(p[k], size[k]) : (free(p[k]), malloc(size[k]));
        p[k][size[k] - 1] = 1;
    }
    for (int k = 0; k < N; k++)
        free(p[k]);
    return NULL;
}

// Threads allocate at the same time, and one forks meanwhile: its child must be able to allocate too.
static void threads(void)
{
    pthread_t all[4];
    for (uintptr_t i = 0; i < 4; i++)
        pthread_create(&all[i], NULL, churn, (void *)(i + 1));
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();
        if (child == 0) {
            for (int k = 1; k < 1000; k++)
                free(realloc(malloc((size_t)k), 2 * (size_t)k));
            _exit(0);
        }
        int status = 1;
        WANT(waitpid(child, &status, 0) == child && status == 0);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(all[i], NULL);
}

int main(int argc, char **argv)
{
#ifdef HEAP_INCLUDED
    off = false; // a sanitizer has its own allocator, but here we are asked
    find = uk_heap_find;
    dead = uk_heap_dead;
    take = uk_heap_freed;
    news = &uk_heap_news;
#else
    find = (uk_heap_find_type *)dlsym(RTLD_DEFAULT, UK_HEAP_FIND);
    dead = (uk_heap_dead_type *)dlsym(RTLD_DEFAULT, UK_HEAP_DEAD);
    take = (uk_heap_freed_type *)dlsym(RTLD_DEFAULT, UK_HEAP_FREED);
    news = dlsym(RTLD_DEFAULT, UK_HEAP_NEWS);
#endif
    WANT(argc == 2 && find && dead && take && news);
    if (strcmp(argv[1], "kinds") == 0)
        kinds();
    else if (strcmp(argv[1], "ends") == 0)
        ends();
    else if (strcmp(argv[1], "threads") == 0)
        threads();
    puts("right");
    return 0;
}
