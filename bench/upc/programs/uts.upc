#include <upc.h>
#include "uts.h"
shared int next_tree;
shared long found[THREADS];

int main(int argc, char **argv)
{
	char class = class_of(argc, argv);
	int trees = uts_trees(class), t;
	long mine = 0, all = 0;
	upc_lock_t *lock = upc_all_lock_alloc();
	upc_barrier;
	double start = seconds();
	for (;;) {
		upc_lock(lock);
		t = next_tree;
		next_tree += UTS_HAND;
		upc_unlock(lock);
		if (t >= trees)
			break;
		for (int k = 0; k < UTS_HAND; k++, t++)
			mine += uts_count(uts_hash((uint64_t)t));
	}
	found[MYTHREAD] = mine;
	upc_barrier;
	if (MYTHREAD == 0) {
		for (t = 0; t < THREADS; t++)
			all += found[t];
		report("uts", class, THREADS, seconds() - start, all == uts_nodes(class));
	}
	return 0;
}
