/* Once the file that the first argument names is there, threads wait for ever, or make a mistake, as the second one says. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>

upc_lock_t *one, *other;
shared [4] char text[4 * THREADS];

int main(int argc, char **argv)
{
	int locks = argc > 2 && strcmp(argv[2], "locks") == 0;
	one = upc_all_lock_alloc();
	other = upc_all_lock_alloc();
	upc_barrier;
	if (MYTHREAD == 0) {
		printf("all are there\n");
		fflush(stdout);
	}
	while (access(argv[1], F_OK) != 0)
		usleep(1000);
	if (locks && MYTHREAD < 2)
		upc_lock(MYTHREAD == 0 ? one : other);
	upc_barrier;
	if (locks) {
		if (MYTHREAD < 2)
			upc_lock(MYTHREAD == 0 ? other : one); /* hangs */
	} else if (MYTHREAD == 1) {
		char mine[64] = { 0 };
		upc_memput(&text[4], mine, 64); /* more than there is */
	}
	usleep(1000);
	upc_barrier;
	return 0;
}
