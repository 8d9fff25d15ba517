#include <upc.h>
#include <upc_collective.h>

shared[] char from[64];
shared[64] char to[64 * THREADS];

int main(void)
{
	size_t bytes = MYTHREAD + 1; /* another size on each thread */
	upc_all_broadcast(to, from, bytes, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	return 0;
}
