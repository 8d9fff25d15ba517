/* A hash table that is spread over the PEs: whoever gets a slot by compare-and-swap writes the value of the key, and after a barrier all look keys up. The table
   is made anew, twice as large, in between. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

enum { KEYS = 60 }; /* of each PE */

static int me, n;

struct table {
    long slots; /* of each PE */
    long *key, *value;
};

static struct table make(long slots)
{
    return (struct table){slots, shmem_calloc((size_t)slots, sizeof(long)), shmem_malloc((size_t)slots * sizeof(long))};
}

static uint64_t hash(long key) { return (uint64_t)key * 0x9e3779b97f4a7c15u >> 20; }

static void insert(struct table *t, long key, long value)
{
    for (uint64_t h = hash(key);; h++) {
        int pe = (int)(h % (uint64_t)n);
        long at = (long)(h / (uint64_t)n % (uint64_t)t->slots);
        if (shmem_long_atomic_compare_swap(&t->key[at], 0, key, pe) == 0) {
            shmem_long_p(&t->value[at], value, pe);
            return;
        }
    }
}

static long look_up(struct table *t, long key)
{
    for (uint64_t h = hash(key);; h++) {
        int pe = (int)(h % (uint64_t)n);
        long at = (long)(h / (uint64_t)n % (uint64_t)t->slots), there = shmem_long_g(&t->key[at], pe);
        if (there == key)
            return shmem_long_g(&t->value[at], pe);
        if (there == 0)
            return -1;
    }
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    int bad = 0;
    struct table small = make(2 * KEYS);

    shmem_barrier_all();
    for (long i = 0; i < KEYS; i++)
        insert(&small, 1 + i * n + me, i * i + me);
    shmem_barrier_all();

    struct table large = make(4 * KEYS);
    for (long i = 0; i < small.slots; i++)
        if (small.key[i])
            insert(&large, small.key[i], small.value[i]);
    shmem_barrier_all();
    shmem_free(small.value);
    shmem_free(small.key);
    for (long i = 0; i < KEYS; i++) {
        int other = (me + 1) % n;
        bad |= look_up(&large, 1 + i * n + other) != i * i + other;
    }
    bad |= look_up(&large, 1 + (long)KEYS * n + me) != -1;
    if (bad)
        fprintf(stderr, "hash: wrong values\n");
    shmem_free(large.value);
    shmem_free(large.key);
    shmem_finalize();
    return bad;
}
