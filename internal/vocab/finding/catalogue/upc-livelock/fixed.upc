#include <upc.h>

int main(void)
{
	upc_lock_t *lock = upc_all_lock_alloc();
	if (MYTHREAD == 0)
		upc_lock(lock);
	upc_barrier;
	if (MYTHREAD == 0)
		upc_unlock(lock);
	if (MYTHREAD == 1) {
		while (!upc_lock_attempt(lock))
			;
		upc_unlock(lock);
	}
	upc_barrier;
	return 0;
}
