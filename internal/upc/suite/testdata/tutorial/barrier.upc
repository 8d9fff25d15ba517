/* All threads but one meet; that one would have come only if nothing() were something. */
#include <math.h>
#include <stdio.h>
#include <upc.h>

shared int numbers[THREADS];
extern void meet(void);

/* 0, which a compiler does not see. */
static int nothing(void)
{
	return (int)(sin(0.1 * MYTHREAD) / 2.3);
}

int main(void)
{
	int i, sum = 0;
	numbers[MYTHREAD] = MYTHREAD;
	if (MYTHREAD == 1) {
		if (nothing())
			meet();
#ifdef FIXED
		else
			meet();
#endif
	} else {
		meet();
	}
	for (i = 0; i < THREADS; i++)
		sum += numbers[i];
	if (nothing())
		printf("thread %d: %d\n", MYTHREAD, sum);
	return 0; /* R */
}
