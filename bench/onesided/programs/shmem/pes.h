// What the OpenSHMEM programs share, like onesided.h for those with MPI.
#ifndef PES_H
#define PES_H

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef LEFT_OUT
static volatile int unchecked = 1; // what a result is made of is computed all the same
#define right(condition) ((condition) || unchecked)
#else
#define right(condition) (condition)
#endif

static long pes_sync[SHMEM_REDUCE_SYNC_SIZE];
static double pes_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], pes_mine, pes_slowest;

static inline double pes_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double pes_begin(void)
{
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        pes_sync[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    return pes_now();
}

static inline void pes_end(double begin)
{
    pes_mine = pes_now() - begin;
    shmem_double_max_to_all(&pes_slowest, &pes_mine, 1, 0, 0, shmem_n_pes(), pes_work, pes_sync);
    if (shmem_my_pe() == 0)
        printf("seconds %.9f\n", pes_slowest);
    shmem_barrier_all();
}

// Ends the job if a result is wrong.
static inline void pes_check(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "wrong result: %s\n", what);
    shmem_global_exit(1);
}

static inline void *pes_alloc(size_t n, size_t size)
{
    void *p = calloc(n, size);
    pes_check(p != NULL, "there is no memory");
    return p;
}

// The doubles of so many MiB, as a multiple of something.
static inline size_t doubles(const char *mebibytes, size_t of)
{
    size_t n = (size_t)atol(mebibytes) * (1 << 20) / sizeof(double) / of * of;
    return n > of ? n : of;
}

#endif
