/* Barriers with and without values, split barriers, fences, strict accesses. */
#include "check.h"
static strict shared int flag;
static shared int data[THREADS];
static shared strict int token;
static relaxed shared int loose;
void test_sync(void)
{
	int i, v = 3;
	upc_barrier;
	upc_barrier 5;
	upc_barrier v + 1;
	upc_notify; upc_wait;
	upc_notify 7; upc_wait 7;
	upc_notify v; CHECK(v == 3); upc_wait;
	if (v) upc_barrier; else upc_fence;
	upc_fence;
	if (MYTHREAD == 0) {
		data[0] = 99;
		flag = 1;
	}
	while (!flag)
		;
	CHECK(data[0] == 99);
	upc_barrier;
	for (i = 0; i < 2 * THREADS; i++) {
		if (i % THREADS == MYTHREAD) {
			while (token != i)
				;
			loose = i;
			token = i + 1;
		}
	}
	while (token != 2 * THREADS)
		;
	CHECK(loose == 2 * THREADS - 1);
	upc_barrier;
	if (MYTHREAD == 0)
		CHECK(token-- == 2 * THREADS && (flag += 2) == 3);
	upc_barrier;
	{
#pragma upc strict
		data[MYTHREAD] = token;
		CHECK(data[MYTHREAD] == 2 * THREADS - 1);
	}
	upc_barrier;
}
