#include <upc.h>

int main(void)
{
	upc_lock_t *lock = 0; /* never allocated */
	upc_lock(lock);
	upc_unlock(lock);
	return 0;
}
