#include <upc.h>

int main(void)
{
	upc_lock_t *lock = upc_all_lock_alloc();
	if (MYTHREAD == 0) {
		upc_lock(lock);
		upc_lock(lock); /* held already */
		upc_unlock(lock);
	}
	return 0;
}
