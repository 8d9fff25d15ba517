#include <upc.h>
#include "uts.h"
/* The trees of uts, with work that is stolen: each thread has a stack of trees, and looks at how many others have left before it takes the lock. That look
   is a race that does no harm, as what is stolen is counted again under the lock. */
shared int left[THREADS];
shared long found[THREADS];
upc_lock_t *shared lock[THREADS];

/* Takes some of a thread's trees; the last of them is before its item that is given back. */
static int take(int of, int *from)
{
	int got = 0;
	if (left[of] > 0) {
		upc_lock(lock[of]);
		got = left[of] < UTS_HAND ? left[of] : UTS_HAND;
		left[of] -= got;
		*from = left[of];
		upc_unlock(lock[of]);
	}
	return got;
}

int main(int argc, char **argv)
{
	char class = class_of(argc, argv);
	long mine = 0, all = 0;
	int trees = uts_trees(class);
	lock[MYTHREAD] = upc_global_lock_alloc();
	left[MYTHREAD] = (int)(part(trees, MYTHREAD + 1, THREADS) - part(trees, MYTHREAD, THREADS));
	upc_barrier;
	double start = seconds();
	for (int k = 0; k < THREADS; k++) {
		int of = (MYTHREAD + k) % THREADS, first = (int)part(trees, of, THREADS), got, from;
		while ((got = take(of, &from)) > 0)
			for (int t = 0; t < got; t++)
				mine += uts_count(uts_hash((uint64_t)(first + from + t)));
	}
	found[MYTHREAD] = mine;
	upc_barrier;
	if (MYTHREAD == 0) {
		for (int t = 0; t < THREADS; t++)
			all += found[t];
		report("psearch", class, THREADS, seconds() - start, all == uts_nodes(class));
	}
	return 0;
}
