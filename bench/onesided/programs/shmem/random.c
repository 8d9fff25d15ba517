// Random access: PEs change random words of a table that is spread over all (shmem_ulong_atomic_xor), and then once
// more in the same way, after which each must find its part of the table as it was. Arguments: MiB of a PE's table,
// how often.
#include "pes.h"

enum { UPDATES = 1 << 13 };

static void update(unsigned long *table, unsigned long seed, size_t words, int pes)
{
    for (int i = 0; i < UPDATES; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        unsigned long at = (seed >> 16) % (words * (unsigned long)pes);
        shmem_ulong_atomic_xor(&table[at % words], seed, (int)(at / words)); // race
    }
}

static size_t changed(const unsigned long *table, size_t words)
{
    size_t n = 0;
    for (size_t i = 0; i < words; i++)
        n += table[i] != i; // race
    return n;
}

int main(int argc, char **argv)
{
    shmem_init();
    int pe = shmem_my_pe(), pes = shmem_n_pes(), times = argc > 2 ? atoi(argv[2]) : 1;
    size_t words = doubles(argc > 1 ? argv[1] : "1", 1), wrong = 0;
    unsigned long *table = shmem_malloc(words * sizeof *table);
    for (size_t i = 0; i < words; i++)
        table[i] = i;
    double begin = pes_begin();
    for (int t = 0; t < times; t++) {
        for (int twice = 0; twice < 2; twice++) {
            update(table, (unsigned long)(t * pes + pe), words, pes);
#ifdef LEFT_OUT
            if (twice)
                break;
#endif
            shmem_barrier_all();
        }
        wrong += changed(table, words);
        shmem_barrier_all();
    }
    pes_end(begin);
    pes_check(right(wrong == 0), "the table has changed");
    shmem_free(table);
    shmem_finalize();
}
