/* Unbalanced tree search: counts the nodes of random trees, each of which has either none or four children. The trees below the
   root are handed out one after the other to whoever is free. */
#ifndef UTS_H
#define UTS_H
#include "common.h"
#define UTS_HAND 50 /* trees that are handed out together */
static int uts_trees(char class) { return class == 'S' ? 10000 : class == 'W' ? 50000 : class == 'A' ? 400000 : 1600000; }
static long uts_nodes(char class) { return class == 'S' ? 2904172 : class == 'W' ? 11079700 : class == 'A' ? 96056952 : 406183268; }

static inline uint64_t uts_hash(uint64_t x)
{
	x += 0x9e3779b97f4a7c15ULL;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

static long uts_count(uint64_t node)
{
	long n = 1;
	if (uts_hash(node) % 10000 < 2490)
		for (uint64_t c = 1; c <= 4; c++)
			n += uts_count(uts_hash(node * 4 + c));
	return n;
}
#endif
