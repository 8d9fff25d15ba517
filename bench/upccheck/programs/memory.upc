/*
 * Uses what the checks have memory for: collective operations, transfers, objects, upc_foralls, and a lock that threads wait for. Says how many
 * bytes malloc gave meanwhile, the most of all threads, and how much of the stack a call takes.
 */
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>
#include <upc_relaxed.h>
#include <upc_collective.h>

enum { LEVELS = 100, OBJECTS = 50 };

shared [64] char to[64 * THREADS];
shared [] char from[64];
shared int perm[THREADS], many[100 * THREADS];
shared long allocated[THREADS];
strict shared int taken;

static char *deepest;

static int __attribute__((noinline)) level(int n)
{
	char here;
	char *volatile place = &here;
	deepest = place;
	int below = n ? level(n - 1) : 0;
	return below + (*place = 1);
}

int main(void)
{
	char here, *volatile start = &here, mine[64] = "";
	long before = (long)mallinfo2().uordblks;
	upc_lock_t *lock = upc_all_lock_alloc();
	for (int i = 0; i < OBJECTS; i++)
		upc_memput(upc_all_alloc(THREADS, 64), mine, 64);
	perm[MYTHREAD] = THREADS - 1 - MYTHREAD;
	upc_all_permute(to, upc_all_alloc(THREADS, 64), perm, 64, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	upc_all_broadcast(to, from, 64, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	upc_forall (int i = 0; i < 100 * THREADS; i++; &many[i])
		many[i] = i;
	/* Thread 0 has the lock long enough for the others to wait for it. */
	if (MYTHREAD == 0) {
		upc_lock(lock);
		taken = 1;
		usleep(300000);
		upc_unlock(lock);
	} else {
		while (!taken)
			usleep(1000);
		upc_lock(lock);
		upc_unlock(lock);
	}
	int levels = level(LEVELS);
	allocated[MYTHREAD] = (long)mallinfo2().uordblks - before;
	upc_barrier;
	if (MYTHREAD == 0) {
		long most = 0;
		for (int t = 0; t < THREADS; t++)
			most = allocated[t] > most ? allocated[t] : most;
		printf("allocated=%ld level=%ld\n", most, (long)(start - deepest) / levels);
	}
	return 0;
}
