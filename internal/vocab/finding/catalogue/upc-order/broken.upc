#include <upc.h>

int main(void)
{
	upc_notify;
	upc_barrier; /* between upc_notify and upc_wait */
	upc_wait;
	return 0;
}
