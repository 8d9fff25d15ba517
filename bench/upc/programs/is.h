/* NAS IS: ranks of integer keys by a bucket sort whose buckets are given to threads. */
#ifndef IS_H
#define IS_H
#include "common.h"
#define IS_TIMES 10
#define IS_BUCKETS 1024
#define IS_TESTS 5

struct is_class { long keys; int most, bits; long index[IS_TESTS], rank[IS_TESTS]; };

static struct is_class is_class(char class)
{
	struct is_class s = { 1L << 16, 1 << 11, 1, { 48427, 17148, 23627, 62548, 4431 }, { 0, 18, 346, 64917, 65463 } };
	struct is_class w = { 1L << 20, 1 << 16, 6, { 357773, 934767, 875723, 898999, 404505 }, { 1249, 11698, 1039987, 1043896, 1048018 } };
	struct is_class a = { 1L << 23, 1 << 19, 9, { 2112377, 662041, 5336171, 3642833, 4250760 }, { 104, 17523, 123928, 8288932, 8388264 } };
	struct is_class b = { 1L << 25, 1 << 21, 11, { 41869, 812306, 5102857, 18232239, 26860214 },
		{ 33422937, 10244, 59149, 33135281, 99 } };
	return class == 'S' ? s : class == 'W' ? w : class == 'A' ? a : b;
}

/* The rank that test key t has in an iteration (from 1), as the definition of the benchmark gives it for each class. */
static long is_expected(char class, const struct is_class *c, int t, int iteration)
{
	int up = class == 'B' ? t == 1 || t == 2 || t == 4 : t < (class == 'W' ? 2 : 3);
	int shift = class == 'W' ? iteration - 2 : class == 'A' ? iteration - 1 : iteration;
	return up ? c->rank[t] + shift : c->rank[t] - (class == 'W' ? iteration : shift);
}

static void is_make(int *key, const struct is_class *c, long first, long end)
{
	uint64_t x = (314159265ULL * random_power(RANDOM_A, 4 * (uint64_t)first)) & RANDOM_MASK;
	for (long i = first; i < end; i++) {
		double r = next_random(&x, RANDOM_A);
		r += next_random(&x, RANDOM_A);
		r += next_random(&x, RANDOM_A);
		r += next_random(&x, RANDOM_A);
		key[i - first] = (int)(c->most / 4 * r);
	}
}

/* Two keys change in each iteration. */
static void is_change(int *key, const struct is_class *c, long first, long end, int iteration)
{
	if (iteration >= first && iteration < end)
		key[iteration - first] = iteration;
	if (iteration + IS_TIMES >= first && iteration + IS_TIMES < end)
		key[iteration + IS_TIMES - first] = c->most - iteration;
}

/* Puts keys in the order of their buckets, and says how many each has. */
static void is_sort(const int *restrict key, int *restrict sorted, long n, int bits, int *restrict count)
{
	int at[IS_BUCKETS], sum = 0;
	memset(count, 0, IS_BUCKETS * sizeof *count);
	for (long i = 0; i < n; i++)
		count[key[i] >> bits]++;
	for (int b = 0; b < IS_BUCKETS; b++) {
		at[b] = sum;
		sum += count[b];
	}
	for (long i = 0; i < n; i++)
		sorted[at[key[i] >> bits]++] = key[i];
}

/* The first bucket of each thread, so that all have about as many keys. */
static void is_share(const long *total, long keys, int threads, int *first)
{
	long sum = 0;
	int b = 0;
	for (int t = 0; t < threads; t++) {
		first[t] = b;
		while (b < IS_BUCKETS && sum < keys * (t + 1) / threads)
			sum += total[b++];
	}
	first[threads] = IS_BUCKETS;
}

/* below[v - low] = how many of the keys are less than v, for v in [low, high]. */
static void is_rank(const int *restrict key, long n, int low, int high, int *restrict below)
{
	memset(below, 0, (size_t)(high - low + 1) * sizeof *below);
	for (long i = 0; i < n; i++)
		below[key[i] - low + 1]++;
	for (int v = 0; v < high - low; v++)
		below[v + 1] += below[v];
}
#endif
