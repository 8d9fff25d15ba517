#include "conform.h"

// 5.10 A cast of null gives null and may be tested.
FACT(null_cast_is_tested)
{
	shared int *p = 0;
	int *l = (int *)p;
	IS(l == NULL);
}

// 5.10 The first and last element of an array are inside.
FACT(first_and_last)
{
	static shared [3] int a[7 * THREADS];
	if (MYTHREAD == 0) {
		a[0] = 1;
		a[7 * THREADS - 1] += 2;
	}
	upc_barrier;
	IS(a[0] == 1 && a[7 * THREADS - 1] == 2);
}

// 5.10 A pointer to behind the last element may be made.
FACT(behind_the_last)
{
	static shared [3] int a[7 * THREADS];
	shared [3] int *end = &a[7 * THREADS];
	IS(end - a == 7 * THREADS && end > &a[0]);
}

// 5.10 Inner subscripts within their bounds.
FACT(inner_subscripts)
{
	static shared [2] char a[3][THREADS][2];
	EACH(i, 3) EACH(k, 2) a[i][MYTHREAD][k] = i + k;
	upc_barrier;
	EACH(i, 3) EACH(j, THREADS) EACH(k, 2) IS(a[i][j][k] == (int)(i + k));
}

// 5.10 A pointer-to-local walks over the own part of an object.
FACT(local_walk)
{
	static shared [4] int a[8 * THREADS];
	int *p = (int *)&a[4 * MYTHREAD];
	for (int i = 0; i < 8; i++)
		*p++ = i;
	EACH(i, 4) IS(a[4 * MYTHREAD + i] == (int)i && a[4 * THREADS + 4 * MYTHREAD + i] == 4 + (int)i);
}

// 5.10 The difference of pointers of equal phase on other threads.
FACT(difference_across_threads)
{
	static shared [4] int a[8 * THREADS];
	IS(&a[4 * THREADS + 1] - &a[1] == 4 * THREADS);
	IS(&a[4 * (THREADS - 1) + 2] - &a[2] == 4 * (THREADS - 1));
}

// 5.10 Null pointers compare with every pointer.
FACT(null_compares)
{
	static shared int x;
	shared int *p = &x, *q = 0;
	IS(p != q && q == 0 && !(p == q));
}

// 5.10 An object is freed once, by one thread, after the last use.
FACT(freed_after_use)
{
	shared int *p = (shared int *)upc_all_alloc(THREADS, sizeof(int));
	p[MYTHREAD] = 1;
	upc_barrier;
	int x = p[(MYTHREAD + 1) % THREADS];
	upc_barrier;
	if (MYTHREAD == THREADS - 1)
		upc_free(p);
	IS(x == 1);
}

// 5.10 Allocated memory is written before it is read.
FACT(written_before_read)
{
	shared [] int *p = (shared [] int *)upc_alloc(10 * sizeof(int));
	upc_memset(p, 0, 10 * sizeof(int));
	EACH(i, 10) IS(p[i] == 0);
	upc_free(p);
}

// 5.10 Accesses are aligned in shared structs.
FACT(alignment_in_structs)
{
	struct mixed { char c; double d; short s; long l; };
	static shared struct mixed a[2 * THREADS];
	a[MYTHREAD].d = 1.5;
	a[MYTHREAD + THREADS].l = 7;
	IS(a[MYTHREAD].d == 1.5 && a[MYTHREAD + THREADS].l == 7);
	IS(upc_addrfield(&a[MYTHREAD].d) % _Alignof(double) == 0);
}

// 5.11 Threads write different elements of one block.
FACT(different_elements)
{
	static shared [] int a[64];
	if (MYTHREAD < 64)
		a[MYTHREAD] = MYTHREAD;
	upc_barrier;
	for (int i = 0; i < THREADS && i < 64; i++)
		IS(a[i] == i);
}

// 5.11 Threads write neighbouring bytes of one word.
FACT(neighbouring_bytes)
{
	static shared [] char a[64];
	for (int round = 0; round < 50; round++) {
		if (MYTHREAD < 64)
			a[MYTHREAD] = round + MYTHREAD;
		upc_barrier;
		for (int i = 0; i < THREADS && i < 64; i++)
			IS(a[i] == (char)(round + i));
		upc_barrier;
	}
}

// 5.11 Threads write different members of one struct.
FACT(different_members)
{
	static shared struct { char a, b, c, d; } s;
	for (int round = 1; round < 50; round++) {
		switch (MYTHREAD) {
		case 0:
			s.a = round;
			break;
		case 1:
			s.b = round;
			break;
		case 2:
			s.c = round;
			break;
		}
		upc_barrier;
		IS(s.a == round && (THREADS < 2 || s.b == round) && (THREADS < 3 || s.c == round));
		upc_barrier;
	}
}

// 5.11 Bit-fields that a zero-width one separates are written by two threads.
FACT(separated_bitfields)
{
	static shared struct { unsigned a : 5; unsigned : 0; unsigned b : 7; } s;
	for (int round = 0; round < 30; round++) {
		if (MYTHREAD == 0)
			s.a = round;
		if (MYTHREAD == THREADS - 1)
			s.b = round + 1;
		upc_barrier;
		IS(s.a == (unsigned)round && s.b == (unsigned)round + 1);
		upc_barrier;
	}
}

// 5.11 Two phases of a split barrier keep accesses apart that are outside of it.
FACT(split_phases)
{
	static shared int a[THREADS];
	for (int round = 0; round < 20; round++) {
		a[MYTHREAD] = round;
		upc_notify;
		upc_wait;
		IS(a[(MYTHREAD + 1) % THREADS] == round);
		upc_notify;
		upc_wait;
	}
}

// 5.11 A common lock makes accesses of different kinds safe.
FACT(lock_and_memcpy)
{
	static shared [8] int a[8 * THREADS];
	upc_lock_t *l = upc_all_lock_alloc();
	if (MYTHREAD == 0)
		upc_memset(a, 0, 8 * sizeof(int));
	upc_barrier;
	for (int i = 0; i < 10; i++) {
		int b[8];
		upc_lock(l);
		upc_memget(b, a, sizeof b);
		EACH(k, 8) b[k]++;
		upc_memput(a, b, sizeof b);
		upc_unlock(l);
	}
	upc_barrier;
	EACH(k, 8) IS(a[k] == 10 * THREADS);
	upc_all_lock_free(l);
}

// 5.11 A strict flag hands data from one thread to the next, round and round.
FACT(token_ring)
{
	static shared int value;
	static strict shared int turn;
	if (MYTHREAD == 0) {
		value = 0;
		turn = 0;
	}
	upc_barrier;
	for (int round = 0; round < 5; round++) {
		while (turn != round * THREADS + MYTHREAD)
			;
		value++;
		turn++;
	}
	upc_barrier;
	IS(value == 5 * THREADS);
}

// 5.11 Iterations of a upc_forall write different elements.
FACT(forall_without_conflicts)
{
	static shared [2] int a[10 * THREADS];
	upc_forall (int i = 0; i < 10 * THREADS; i++; i)
		a[i] = -i;
	upc_barrier;
	EACH(i, 10 * THREADS) IS(a[i] == -(int)i);
}
