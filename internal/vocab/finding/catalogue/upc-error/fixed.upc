#include <upc.h>

int main(void)
{
	upc_lock_t *lock = upc_all_lock_alloc();
	upc_lock(lock);
	upc_unlock(lock);
	return 0;
}
