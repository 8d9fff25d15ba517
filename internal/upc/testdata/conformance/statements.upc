#include "conform.h"

// 5.1 upc_notify and upc_wait alternate many times.
FACT(alternating)
{
	for (int i = 0; i < 50; i++) {
		upc_notify i;
		upc_wait i;
	}
	IS(1);
}

// 5.1 upc_barrier after notify and wait with values.
FACT(barrier_mix)
{
	upc_notify 1;
	upc_wait 1;
	upc_barrier 2;
	upc_notify;
	upc_wait;
	upc_barrier;
	IS(1);
}

// 5.1 A wait may leave the value out that the notify had.
FACT(wait_without_value)
{
	upc_notify 8;
	upc_wait;
	IS(1);
}

// 5.1 Statements as bodies of if, else and loops.
FACT(statements_as_bodies)
{
	if (THREADS > 0)
		upc_barrier;
	else
		upc_fence;
	for (int i = 0; i < 3; i++)
		upc_barrier i;
	int n = 2;
	while (n--)
		upc_fence;
	do
		upc_barrier;
	while (0);
	IS(n == -1);
}

// 5.1 A label before a statement of UPC.
FACT(labelled_barrier)
{
	int n = 0;
	again:
	upc_barrier;
	if (n++ < 2)
		goto again;
	IS(n == 3);
}

// 5.1 A switch with statements of UPC.
FACT(barriers_in_a_switch)
{
	switch (THREADS > 0) {
	case 1:
		upc_barrier 3;
		break;
	default:
		upc_fence;
	}
	IS(1);
}

// 5.1 upc_fence orders a thread's own accesses.
FACT(own_fence)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 4;
	upc_fence;
	IS(a[MYTHREAD] == 4);
	upc_fence;
}

// 5.1 A fence completes writes to other threads before the next strict one.
FACT(fence_then_flag)
{
	static shared int a[THREADS];
	static strict shared int ready[THREADS];
	int next = (MYTHREAD + 1) % THREADS;
	a[next] = 11;
	upc_fence;
	ready[next] = 1;
	while (!ready[MYTHREAD])
		;
	IS(a[MYTHREAD] == 11);
}

// 5.1 upc_forall with a shared loop bound.
FACT(forall_shared_bound)
{
	static shared int n;
	if (MYTHREAD == 0)
		n = 3 * THREADS;
	upc_barrier;
	int count = 0;
	upc_forall (int i = 0; i < n; i++; i)
		count++;
	IS(count == 3);
}

// 5.1 upc_forall over the rows of a matrix by the address of a row.
FACT(forall_rows)
{
	static shared [4] int m[2 * THREADS][4];
	upc_forall (int i = 0; i < 2 * THREADS; i++; &m[i][0])
		EACH(j, 4) m[i][j] = i * 4 + j;
	upc_barrier;
	EACH(i, 2 * THREADS) EACH(j, 4) IS(m[i][j] == (int)(i * 4 + j));
}

// 5.1 upc_forall with the elements of another array as affinity.
FACT(forall_other_array)
{
	static shared [2] int a[2 * THREADS];
	static shared int b[2 * THREADS];
	upc_forall (int i = 0; i < 2 * THREADS; i++; &a[i]) {
		a[i] = i;
		b[i] = 2 * i;
	}
	upc_barrier;
	EACH(i, 2 * THREADS) IS(a[i] == (int)i && b[i] == 2 * (int)i);
}

// 5.1 upc_forall with a generic pointer as affinity.
FACT(forall_generic_pointer)
{
	static shared int a[THREADS];
	int n = 0;
	upc_forall (int i = 0; i < THREADS; i++; (shared void *)&a[i]) {
		IS(i == MYTHREAD);
		n++;
	}
	IS(n == 1);
}

/* Affinities have to be single-valued (UPC 1.3, 6.6.2), which MYTHREAD is not: programs with checks do without it. */
#ifdef SINGLE_VALUED
#define MINE continue
#else
#define MINE MYTHREAD
#endif

// 5.1 upc_forall with MYTHREAD as affinity is run whole by every thread.
FACT(forall_mythread)
{
	int n = 0;
	upc_forall (int i = 0; i < 7; i++; MINE)
		n++;
	IS(n == 7);
}

// 5.1 A sum over a shared array in a upc_forall.
FACT(forall_sum)
{
	static shared [5] long a[10 * THREADS];
	static shared long sums[THREADS];
	upc_forall (int i = 0; i < 10 * THREADS; i++; &a[i])
		a[i] = i;
	upc_barrier;
	long sum = 0;
	upc_forall (int i = 0; i < 10 * THREADS; i++; i)
		sum += a[i];
	sums[MYTHREAD] = sum;
	upc_barrier;
	long total = 0;
	EACH(t, THREADS) total += sums[t];
	IS(total == 10L * THREADS * (10L * THREADS - 1) / 2);
}

// 5.1 A stencil: neighbours' elements are read.
FACT(forall_stencil)
{
	static shared [4] int a[4 * THREADS], b[4 * THREADS];
	upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
		a[i] = i * i;
	upc_barrier;
	upc_forall (int i = 1; i < 4 * THREADS - 1; i++; &b[i])
		b[i] = a[i - 1] + a[i + 1] - 2 * a[i];
	upc_barrier;
	for (int i = 1; i < 4 * THREADS - 1; i++)
		IS(b[i] == 2);
}

// 5.1 A matrix product with shared operands.
FACT(forall_matrix)
{
	static shared [6] int a[THREADS][6], c[THREADS][6];
	static shared [] int b[6][6];
	upc_forall (int i = 0; i < THREADS; i++; i)
		EACH(j, 6) a[i][j] = i + j;
	if (MYTHREAD == 0)
		EACH(i, 6) EACH(j, 6) b[i][j] = i == j;
	upc_barrier;
	upc_forall (int i = 0; i < THREADS; i++; &c[i][0])
		EACH(j, 6) {
			int sum = 0;
			EACH(k, 6) sum += a[i][k] * b[k][j];
			c[i][j] = sum;
		}
	upc_barrier;
	EACH(i, THREADS) EACH(j, 6) IS(c[i][j] == (int)(i + j));
}
