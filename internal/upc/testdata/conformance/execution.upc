#include "conform.h"

// 4 A barrier lets all threads see what was written before it.
FACT(barrier_orders)
{
	static shared int a[THREADS];
	for (int round = 0; round < 20; round++) {
		a[MYTHREAD] = round * 100 + MYTHREAD;
		upc_barrier;
		EACH(i, THREADS) IS(a[i] == round * 100 + (int)i);
		upc_barrier;
	}
}

// 4 upc_notify and upc_wait together are a barrier.
FACT(notify_and_wait)
{
	static shared int a[THREADS];
	for (int round = 0; round < 20; round++) {
		a[MYTHREAD] = round;
		upc_notify;
		upc_wait;
		EACH(i, THREADS) IS(a[i] == round);
		upc_barrier;
	}
}

// 4 A thread may work on its own between notify and wait.
FACT(work_between)
{
	static shared int a[THREADS];
	int sum = 0;
	a[MYTHREAD] = 1;
	upc_notify;
	for (int i = 0; i < 1000; i++)
		sum += i;
	upc_wait;
	IS(sum == 499500);
	EACH(i, THREADS) IS(a[i] == 1);
}

// 4 Barriers with the same value on all threads.
FACT(barrier_values)
{
	upc_barrier 5;
	upc_barrier THREADS;
	upc_notify 7;
	upc_wait 7;
	upc_barrier -1;
	IS(1);
}

// 4 A thread without value fits every barrier.
FACT(barrier_some_values)
{
	if (MYTHREAD % 2)
		upc_barrier 9;
	else
		upc_barrier;
	upc_notify 3;
	upc_wait;
	IS(1);
}

// 4 If no notify has a value, those of wait are not compared.
FACT(wait_values_without_consensus)
{
	upc_notify;
	upc_wait MYTHREAD;
	IS(1);
}

// 4 The value of a barrier is evaluated once and converted to int.
FACT(barrier_value_converts)
{
	int n = 2;
	upc_barrier n++;
	upc_barrier 2.0;
	upc_barrier (char)4;
	IS(n == 3);
}

// 4 The value of a barrier may be read from a shared object.
FACT(barrier_value_shared)
{
	static shared int v;
	if (MYTHREAD == 0)
		v = 12;
	upc_barrier;
	upc_barrier v;
	upc_barrier v + 1;
	IS(v == 12);
}

// 4 Every upc_forall without affinity is run by all threads.
FACT(forall_without_affinity)
{
	int n = 0;
	upc_forall (int i = 0; i < 10; i++; )
		n++;
	upc_forall (int i = 0; i < 10; i++; continue)
		n++;
	IS(n == 20);
}

// 4 An integer affinity: iteration i is of thread i mod THREADS.
FACT(forall_integer)
{
	int n = 0;
	upc_forall (int i = 0; i < 5 * THREADS; i++; i) {
		IS(i % THREADS == MYTHREAD);
		n++;
	}
	IS(n == 5);
}

// 4 A pointer affinity: the iteration is of the thread of the object.
FACT(forall_pointer)
{
	static shared [3] int a[7 * THREADS];
	int n = 0;
	upc_forall (int i = 0; i < 7 * THREADS; i++; &a[i]) {
		IS(upc_threadof(&a[i]) == MYTHREAD);
		a[i] = i;
		n++;
	}
	upc_barrier;
	EACH(i, 7 * THREADS) IS(a[i] == (int)i);
	int mine = 0;
	EACH(i, 7 * THREADS) mine += upc_threadof(&a[i]) == MYTHREAD;
	IS(n == mine);
}

// 4 Every iteration is run by exactly one thread.
FACT(forall_once)
{
	static shared int count[40 * THREADS];
	EACH(i, 40 * THREADS) if (upc_threadof(&count[i]) == MYTHREAD) count[i] = 0;
	upc_barrier;
	upc_forall (int i = 0; i < 40 * THREADS; i++; i * 3 + 1)
		count[i]++;
	upc_barrier;
	EACH(i, 40 * THREADS) IS(count[i] == 1);
}

// 4 All threads evaluate the condition and the increment of every iteration.
FACT(forall_evaluates_everywhere)
{
	int conditions = 0, increments = 0;
	upc_forall (int i = 0; conditions++, i < 3 * THREADS; i++, increments++; i) ;
	IS(conditions == 3 * THREADS + 1 && increments == 3 * THREADS);
}

// 4 All threads evaluate the affinity of every iteration.
FACT(forall_affinity_everywhere)
{
	int n = 0;
	upc_forall (int i = 0; i < 3 * THREADS; i++; (n++, i)) ;
	upc_forall (int i = 0; i < THREADS; i++; n++, i) ;
	IS(n == 4 * THREADS);
}

// 4 continue goes to the increment of upc_forall.
FACT(forall_continue)
{
	int n = 0;
	upc_forall (int i = 0; i < 4 * THREADS; i++; i) {
		if (i < THREADS)
			continue;
		n++;
	}
	IS(n == 3);
}

// 4 An inner upc_forall of a controlling one is run whole by the thread.
FACT(forall_nested)
{
	static shared int count[THREADS][4];
	upc_forall (int i = 0; i < THREADS; i++; i) {
		upc_forall (int j = 0; j < 4; j++; j)
			count[MYTHREAD == i ? 0 : 0][j] += 0;
		int n = 0;
		upc_forall (int j = 0; j < 4 * THREADS; j++; j)
			n++;
		IS(n == 4 * THREADS);
	}
}

// 4 An inner upc_forall controls if the outer one does not.
FACT(forall_nested_continue)
{
	upc_forall (int i = 0; i < 2; i++; continue) {
		int n = 0;
		upc_forall (int j = 0; j < 4 * THREADS; j++; j) {
			IS(j % THREADS == MYTHREAD);
			n++;
		}
		IS(n == 4);
	}
}

// 4 A function called in the body runs its upc_forall whole.
static int iterations(void)
{
	int n = 0;
	upc_forall (int i = 0; i < 5 * THREADS; i++; i)
		n++;
	return n;
}
FACT(forall_in_a_called_function)
{
	upc_forall (int i = 0; i < 3 * THREADS; i++; i)
		IS(iterations() == 5 * THREADS);
	IS(iterations() == 5);
}

// 4 upc_forall without condition ends by other means on all threads.
FACT(forall_of_a_shared_pointer)
{
	static shared [2] int a[8 * THREADS];
	int n = 0;
	upc_forall (shared [2] int *p = a; p < a + 8 * THREADS; p++; p) {
		IS(upc_threadof(p) == MYTHREAD);
		n++;
	}
	IS(n == 8);
}

// 4 The affinity may be the array itself.
FACT(forall_array_affinity)
{
	static shared int a[THREADS];
	int n = 0;
	upc_forall (int i = 0; i < 3; i++; a)
		n++;
	IS(n == (MYTHREAD == 0 ? 3 : 0));
}

// 4 The affinity may be of a narrow or wide integer type.
FACT(forall_affinity_types)
{
	int n = 0;
	upc_forall (char c = 0; c < THREADS; c++; c)
		n++;
	upc_forall (unsigned long u = 0; u < (unsigned long)THREADS; u++; u)
		n++;
	upc_forall (long long l = 1L << 40; l < (1L << 40) + THREADS; l++; l)
		n++;
	IS(n == 3);
}

// 4 Counting down and in steps.
FACT(forall_steps)
{
	int n = 0;
	upc_forall (int i = 6 * THREADS - 1; i >= 0; i -= 2; i / 2)
		n++;
	IS(n == 3);
	n = 0;
	upc_forall (int i = 0; i < 6 * THREADS; i += THREADS; i)
		n++;
	IS(n == (MYTHREAD == 0 ? 6 : 0));
}

// 4 Declarations before the loop and after.
FACT(forall_scope)
{
	int i = 42;
	upc_forall (int i = 0; i < THREADS; i++; i) {
		int i = 7;
		IS(i == 7);
	}
	IS(i == 42);
}

// 4 upc_forall in both branches of an if without braces.
FACT(forall_as_a_statement)
{
	int n = 0;
	if (THREADS > 0)
		upc_forall (int i = 0; i < THREADS; i++; i) n++;
	else
		upc_forall (int i = 0; i < THREADS; i++; i) n--;
	IS(n == 1);
}

// 4 break inside of a loop in the body.
FACT(break_in_a_loop_inside)
{
	int n = 0;
	upc_forall (int i = 0; i < THREADS; i++; i) {
		for (;;)
			if (++n == 3)
				break;
		switch (n) {
		case 3:
			break;
		default:
			n = 0;
		}
	}
	IS(n == 3);
}

// 4 upc_fence is no collective operation.
FACT(fence_by_one)
{
	static shared int x[THREADS];
	if (MYTHREAD == 0) {
		x[0] = 1;
		upc_fence;
		IS(x[0] == 1);
	}
}

// 4 A thread sees its own relaxed writes in order.
FACT(own_writes)
{
	static shared int a[2 * THREADS];
	for (int i = 0; i < 50; i++) {
		a[(MYTHREAD + 1) % THREADS + THREADS * 0] = a[(MYTHREAD + 1) % THREADS];
		a[MYTHREAD + THREADS] = i;
		IS(a[MYTHREAD + THREADS] == i);
		int *p = (int *)&a[MYTHREAD + THREADS];
		*p = -i;
		IS(a[MYTHREAD + THREADS] == -i);
	}
}

// 4 A remote write is seen by the writer's next read.
FACT(remote_write_then_read)
{
	static shared int a[THREADS];
	int next = (MYTHREAD + 1) % THREADS;
	for (int i = 0; i < 50; i++) {
		a[next] = i;
		IS(a[next] == i);
	}
}

// 4 A strict flag orders the relaxed data before it (message passing).
FACT(message_passing)
{
	static shared int data[THREADS];
	static strict shared int flag[THREADS];
	for (int round = 1; round <= 20; round++) {
		int next = (MYTHREAD + 1) % THREADS;
		data[next] = 1000 * round + MYTHREAD;
		flag[next] = round;
		while (flag[MYTHREAD] < round)
			;
		IS(data[MYTHREAD] == 1000 * round + (MYTHREAD + THREADS - 1) % THREADS);
		upc_barrier;
	}
}

// 4 Of two threads that write and then read strictly, one sees the other (store buffering).
FACT(store_buffering)
{
	static strict shared int x, y;
	static shared int seen[2 * THREADS];
	for (int round = 0; round < 20 && THREADS > 1; round++) {
		if (MYTHREAD == 0)
			x = y = 0;
		upc_barrier;
		if (MYTHREAD == 0) {
			x = 1;
			seen[0] = y;
		}
		if (MYTHREAD == 1) {
			y = 1;
			seen[1] = x;
		}
		upc_barrier;
		IS(seen[0] == 1 || seen[1] == 1);
		upc_barrier;
	}
}

// 4 Strict reads of two threads agree on the order of strict writes.
static shared [] int seen_first[4];
static shared [] int seen_second[4];
FACT(strict_order_agrees)
{
	static strict shared int x, y;
	for (int round = 0; round < 20 && THREADS > 3; round++) {
		if (MYTHREAD == 0)
			x = y = 0;
		upc_barrier;
		switch (MYTHREAD) {
		case 0:
			x = 1;
			break;
		case 1:
			y = 1;
			break;
		case 2:
			seen_first[2] = x;
			seen_second[2] = y;
			break;
		case 3:
			seen_first[3] = y;
			seen_second[3] = x;
			break;
		}
		upc_barrier;
		IS(!(seen_first[2] == 1 && seen_second[2] == 0 && seen_first[3] == 1 && seen_second[3] == 0));
		upc_barrier;
	}
}

// 4 Reads of one location never go back (coherence).
FACT(coherence)
{
	static strict shared int x;
	if (MYTHREAD == 0)
		x = 0;
	upc_barrier;
	if (MYTHREAD == 0)
		for (int i = 1; i <= 200; i++)
			x = i;
	int last = 0;
	for (int i = 0; i < 200; i++) {
		int now = x;
		IS(now >= last);
		last = now;
	}
	upc_barrier;
	IS(x == 200);
}

// 4 Load buffering with strict accesses does not happen.
FACT(load_buffering)
{
	static strict shared int x, y;
	static shared [] int r[2];
	for (int round = 0; round < 20 && THREADS > 1; round++) {
		if (MYTHREAD == 0)
			x = y = 0;
		upc_barrier;
		if (MYTHREAD == 0) {
			r[0] = x;
			y = 1;
		}
		if (MYTHREAD == 1) {
			r[1] = y;
			x = 1;
		}
		upc_barrier;
		IS(!(r[0] == 1 && r[1] == 1));
		upc_barrier;
	}
}

// 4 What a thread saw is passed on to a third (causality).
FACT(causality)
{
	static strict shared int x, y;
	static shared int data;
	if (MYTHREAD == 0)
		x = y = data = 0;
	upc_barrier;
	if (THREADS > 2) {
		if (MYTHREAD == 0) {
			data = 77;
			x = 1;
		}
		if (MYTHREAD == 1) {
			while (!x)
				;
			y = 1;
		}
		if (MYTHREAD == 2) {
			while (!y)
				;
			IS(data == 77);
		}
	}
	upc_barrier;
}

// 4 A fence orders relaxed writes before a relaxed flag's strict read elsewhere.
FACT(fence_orders)
{
	static shared int data[THREADS];
	static shared int flag[THREADS];
	for (int round = 1; round < 10; round++) {
		int next = (MYTHREAD + 1) % THREADS;
		data[next] = round;
		upc_fence;
		{
			#pragma upc strict
			flag[next] = round;
			while (flag[MYTHREAD] < round)
				;
		}
		IS(data[MYTHREAD] == round);
		upc_barrier;
	}
}

// 4 A lock lets one thread at a time change an object.
FACT(lock_excludes)
{
	static shared int counter;
	upc_lock_t *l = upc_all_lock_alloc();
	if (MYTHREAD == 0)
		counter = 0;
	upc_barrier;
	for (int i = 0; i < 30; i++) {
		upc_lock(l);
		counter = counter + 1;
		upc_unlock(l);
	}
	upc_barrier;
	IS(counter == 30 * THREADS);
	upc_all_lock_free(l);
}

// 4 The holder of a lock sees what the one before wrote.
FACT(lock_orders)
{
	static shared [] int list[200];
	static shared int used;
	upc_lock_t *l = upc_all_lock_alloc();
	if (MYTHREAD == 0)
		used = 0;
	upc_barrier;
	for (int i = 0; i < 8; i++) {
		upc_lock(l);
		int n = used;
		list[n] = n;
		if (n)
			IS(list[n - 1] == n - 1);
		used = n + 1;
		upc_unlock(l);
	}
	upc_barrier;
	IS(used == 8 * THREADS);
	upc_all_lock_free(l);
}

// 4 Accesses through pointers-to-local are ordered by barriers as shared ones.
FACT(local_accesses_and_barriers)
{
	static shared [4] int a[4 * THREADS];
	int *mine = (int *)&a[4 * MYTHREAD];
	for (int round = 0; round < 10; round++) {
		EACH(i, 4) mine[i] = round + i;
		upc_barrier;
		EACH(t, THREADS) EACH(i, 4) IS(a[4 * t + i] == round + (int)i);
		upc_barrier;
	}
}

// 4 Strict accesses of all types.
FACT(strict_types)
{
	static strict shared char c[THREADS];
	static strict shared double d[THREADS];
	static strict shared struct { int x, y; } s[THREADS];
	c[MYTHREAD] = 3;
	d[MYTHREAD] = 2.5;
	s[MYTHREAD].y = 9;
	c[MYTHREAD]++;
	IS(c[MYTHREAD] == 4 && d[MYTHREAD] == 2.5 && s[MYTHREAD].y == 9);
}

// 4 A strict read through a cast pointer.
FACT(strict_by_cast)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 6;
	IS(*(strict shared int *)&a[MYTHREAD] == 6);
	*(strict shared int *)&a[MYTHREAD] = 7;
	IS(*(relaxed shared int *)&a[MYTHREAD] == 7);
}
