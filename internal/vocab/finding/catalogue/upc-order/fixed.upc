#include <upc.h>

int main(void)
{
	upc_notify;
	upc_wait;
	upc_barrier;
	return 0;
}
