#include <upc.h>

int main(void)
{
	if (MYTHREAD == 1)
		return 0; /* thread 1 never comes to the barrier */
	upc_barrier;
	return 0;
}
