#include <upc.h>

int main(void)
{
	upc_lock_t *lock = upc_all_lock_alloc();
	if (MYTHREAD == 0)
		upc_lock(lock);
	upc_barrier;
	if (MYTHREAD == 1)
		while (!upc_lock_attempt(lock)) /* thread 0 waits at the next barrier */
			;
	upc_barrier;
	return 0;
}
