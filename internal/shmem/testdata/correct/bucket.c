/* Sorts keys that are spread over the PEs: each key goes to the PE of its range, where an atomic counter reserves the place. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 500, RANGE = 1 << 20, MOST = 64 };

static long used, total_before, total_after, counted, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 1];
static long first_sync[SHMEM_REDUCE_SYNC_SIZE], second_sync[SHMEM_REDUCE_SYNC_SIZE];
static int32_t largest;

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        first_sync[i] = second_sync[i] = SHMEM_SYNC_VALUE;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0, of[MOST] = {0};
    int32_t keys[KEYS], *bucket = shmem_malloc((size_t)n * KEYS * sizeof *bucket);
    int32_t(*out)[KEYS] = malloc(sizeof(int32_t[MOST][KEYS]));

    if (n > MOST || !bucket || !out)
        shmem_global_exit(2);
    uint32_t random = 12345u + (uint32_t)me;
    for (int i = 0; i < KEYS; i++) {
        random = random * 1664525u + 1013904223u;
        keys[i] = (int32_t)(random >> 12);
        total_before += keys[i];
        int pe = (int)((int64_t)keys[i] * n / RANGE);
        out[pe][of[pe]++] = keys[i];
    }
    shmem_barrier_all();
    for (int k = 0; k < n; k++) {
        int pe = (me + k) % n;
        if (of[pe] == 0)
            continue;
        long at = shmem_long_atomic_fetch_add(&used, of[pe], pe);
        shmem_put32_nbi(bucket + at, out[pe], (size_t)of[pe], pe);
    }
    shmem_barrier_all();

    long mine = shmem_long_atomic_fetch(&used, me);
    qsort(bucket, (size_t)mine, sizeof *bucket, ascending);
    for (long i = 0; i < mine; i++)
        counted += bucket[i];
    largest = mine > 0 ? bucket[mine - 1] : 0;
    shmem_long_sum_to_all(&total_before, &total_before, 1, 0, 0, n, work, first_sync);
    shmem_barrier_all();
    shmem_long_sum_to_all(&total_after, &counted, 1, 0, 0, n, work, second_sync);
    bad = total_before != total_after;
    if (me > 0 && mine > 0)
        bad |= shmem_int32_g(&largest, me - 1) > bucket[0];
    if (bad)
        fprintf(stderr, "bucket: not sorted on PE %d\n", me);
    shmem_barrier_all();
    shmem_free(bucket);
    free(out);
    shmem_finalize();
    return bad;
}
