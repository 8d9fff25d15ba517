#include <upc.h>
#include <upc_collective.h>

shared[] char from[64];
shared[64] char to[64 * THREADS];
shared size_t bytes;

int main(void)
{
	if (MYTHREAD == 0)
		bytes = sizeof from;
	upc_barrier;
	upc_all_broadcast(to, from, bytes, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	return 0;
}
