#include <upc.h>
#include "ep.h"
shared struct ep_sums sums[THREADS];

int main(int argc, char **argv)
{
	char class = class_of(argc, argv);
	long k, batches = 1L << (ep_log(class) - EP_BATCH_LOG);
	struct ep_sums mine = { 0 }, all = { 0 };
	upc_barrier;
	double start = seconds();
	upc_forall (k = 0; k < batches; k++; k)
		ep_batch(k, &mine);
	sums[MYTHREAD] = mine;
	upc_barrier;
	if (MYTHREAD == 0) {
		for (int t = 0; t < THREADS; t++) {
			all.sx += sums[t].sx;
			all.sy += sums[t].sy;
			for (int c = 0; c < 10; c++)
				all.counts[c] += sums[t].counts[c];
		}
		report("ep", class, THREADS, seconds() - start, ep_verify(class, &all));
	}
	return 0;
}
