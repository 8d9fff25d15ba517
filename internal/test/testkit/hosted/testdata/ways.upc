/* Threads that wait for ever, in the way that the first argument names. */
#include <string.h>
#include <upc.h>

upc_lock_t *one, *other;

int main(int argc, char **argv)
{
	one = upc_all_lock_alloc();
	other = upc_all_lock_alloc();
	upc_barrier;
	if (argc > 1 && strcmp(argv[1], "locks") == 0 && MYTHREAD < 2) {
		upc_lock(MYTHREAD == 0 ? one : other);
		upc_barrier;
		upc_lock(MYTHREAD == 0 ? other : one); /* hangs */
	} else {
		upc_barrier;
	}
	if (argc > 1 && strcmp(argv[1], "end") == 0 && MYTHREAD == 1)
		return 0;
	upc_barrier;
	return 0;
}
