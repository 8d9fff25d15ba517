/* Two vectors are filled, and one is sent to all threads. How long a block is was to be set first. */
#include <stdio.h>
#include <upc.h>
#include <upc_collective.h>
#define BLOCK 3

shared [BLOCK] int divisors[BLOCK * THREADS];
shared [] int sent[BLOCK];
static shared int block_length; /* D */

int main(void)
{
	int i;
#ifdef FIXED
	block_length = BLOCK;
#endif
	upc_forall (i = 0; i < BLOCK * THREADS; i++; i / BLOCK)
		divisors[i] = i + 1;
	if (MYTHREAD == 0)
		for (i = 0; i < BLOCK; i++)
			sent[i] = 10 * (i + 1);
	upc_barrier;
	upc_all_broadcast(divisors, sent, sizeof(int) * block_length, UPC_IN_NOSYNC | UPC_OUT_NOSYNC); /* A */
	upc_barrier;
	if (MYTHREAD == 0 && divisors[0] != 10)
		printf("divisors[0] is %d\n", divisors[0]);
	return 0;
}
