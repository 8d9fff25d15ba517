/* Numbers are added up. Each thread has allocated the memory for all of them. */
#include <stdio.h>
#include <upc.h>
#include <upc_collective.h>
#define N 4
#ifdef FIXED
#define ALLOCATE upc_all_alloc
#else
#define ALLOCATE upc_global_alloc
#endif

shared [N] int *numbers; /* D */
shared int sum;

int main(void)
{
	int i;
	numbers = ALLOCATE(THREADS, N * sizeof(int));
	upc_forall (i = 0; i < N * THREADS; i++; i / N)
		numbers[i] = i;
	upc_barrier;
	upc_all_reduceI(&sum, numbers, UPC_ADD, N * THREADS, N, NULL, UPC_IN_NOSYNC | UPC_OUT_NOSYNC); /* A */
	upc_barrier;
	if (MYTHREAD == 0 && sum != N * THREADS * (N * THREADS - 1) / 2)
		printf("sum is %d\n", sum);
	return 0;
}
