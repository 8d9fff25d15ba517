#include "conform.h"
#include <upc_atomic.h>

// 5.8 UPC_ADD on int by all threads loses nothing.
FACT(atomic_add_int)
{
	static shared int sum;
	if (MYTHREAD == 0)
		sum = 0;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_GET, 0);
	int one = 1, got = 0;
	upc_barrier;
	for (int i = 0; i < 50; i++)
		upc_atomic_relaxed(d, NULL, UPC_ADD, &sum, &one, NULL);
	upc_barrier;
	upc_atomic_strict(d, &got, UPC_GET, &sum, NULL, NULL);
	IS(got == 50 * THREADS);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_ADD on unsigned by all threads loses nothing.
FACT(atomic_add_uint)
{
	static shared unsigned sum;
	if (MYTHREAD == 0)
		sum = 0;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_UINT, UPC_ADD | UPC_GET, 0);
	unsigned one = 1, got = 0;
	upc_barrier;
	for (int i = 0; i < 50; i++)
		upc_atomic_relaxed(d, NULL, UPC_ADD, &sum, &one, NULL);
	upc_barrier;
	upc_atomic_strict(d, &got, UPC_GET, &sum, NULL, NULL);
	IS(got == 50 * THREADS);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_ADD on long by all threads loses nothing.
FACT(atomic_add_long)
{
	static shared long sum;
	if (MYTHREAD == 0)
		sum = 0;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET, 0);
	long one = 1, got = 0;
	upc_barrier;
	for (int i = 0; i < 50; i++)
		upc_atomic_relaxed(d, NULL, UPC_ADD, &sum, &one, NULL);
	upc_barrier;
	upc_atomic_strict(d, &got, UPC_GET, &sum, NULL, NULL);
	IS(got == 50 * THREADS);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_ADD on unsigned long by all threads loses nothing.
FACT(atomic_add_ulong)
{
	static shared unsigned long sum;
	if (MYTHREAD == 0)
		sum = 0;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_ULONG, UPC_ADD | UPC_GET, 0);
	unsigned long one = 1, got = 0;
	upc_barrier;
	for (int i = 0; i < 50; i++)
		upc_atomic_relaxed(d, NULL, UPC_ADD, &sum, &one, NULL);
	upc_barrier;
	upc_atomic_strict(d, &got, UPC_GET, &sum, NULL, NULL);
	IS(got == 50 * THREADS);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_ADD on int32_t by all threads loses nothing.
FACT(atomic_add_int32)
{
	static shared int32_t sum;
	if (MYTHREAD == 0)
		sum = 0;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT32, UPC_ADD | UPC_GET, 0);
	int32_t one = 1, got = 0;
	upc_barrier;
	for (int i = 0; i < 50; i++)
		upc_atomic_relaxed(d, NULL, UPC_ADD, &sum, &one, NULL);
	upc_barrier;
	upc_atomic_strict(d, &got, UPC_GET, &sum, NULL, NULL);
	IS(got == 50 * THREADS);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_ADD on uint32_t by all threads loses nothing.
FACT(atomic_add_uint32)
{
	static shared uint32_t sum;
	if (MYTHREAD == 0)
		sum = 0;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_UINT32, UPC_ADD | UPC_GET, 0);
	uint32_t one = 1, got = 0;
	upc_barrier;
	for (int i = 0; i < 50; i++)
		upc_atomic_relaxed(d, NULL, UPC_ADD, &sum, &one, NULL);
	upc_barrier;
	upc_atomic_strict(d, &got, UPC_GET, &sum, NULL, NULL);
	IS(got == 50 * THREADS);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_ADD on int64_t by all threads loses nothing.
FACT(atomic_add_int64)
{
	static shared int64_t sum;
	if (MYTHREAD == 0)
		sum = 0;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT64, UPC_ADD | UPC_GET, 0);
	int64_t one = 1, got = 0;
	upc_barrier;
	for (int i = 0; i < 50; i++)
		upc_atomic_relaxed(d, NULL, UPC_ADD, &sum, &one, NULL);
	upc_barrier;
	upc_atomic_strict(d, &got, UPC_GET, &sum, NULL, NULL);
	IS(got == 50 * THREADS);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_ADD on uint64_t by all threads loses nothing.
FACT(atomic_add_uint64)
{
	static shared uint64_t sum;
	if (MYTHREAD == 0)
		sum = 0;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_ADD | UPC_GET, 0);
	uint64_t one = 1, got = 0;
	upc_barrier;
	for (int i = 0; i < 50; i++)
		upc_atomic_relaxed(d, NULL, UPC_ADD, &sum, &one, NULL);
	upc_barrier;
	upc_atomic_strict(d, &got, UPC_GET, &sum, NULL, NULL);
	IS(got == 50 * THREADS);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_ADD on float by all threads loses nothing.
FACT(atomic_add_float)
{
	static shared float sum;
	if (MYTHREAD == 0)
		sum = 0;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_FLOAT, UPC_ADD | UPC_GET, 0);
	float one = 1, got = 0;
	upc_barrier;
	for (int i = 0; i < 50; i++)
		upc_atomic_relaxed(d, NULL, UPC_ADD, &sum, &one, NULL);
	upc_barrier;
	upc_atomic_strict(d, &got, UPC_GET, &sum, NULL, NULL);
	IS(got == 50 * THREADS);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_ADD on double by all threads loses nothing.
FACT(atomic_add_double)
{
	static shared double sum;
	if (MYTHREAD == 0)
		sum = 0;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD | UPC_GET, 0);
	double one = 1, got = 0;
	upc_barrier;
	for (int i = 0; i < 50; i++)
		upc_atomic_relaxed(d, NULL, UPC_ADD, &sum, &one, NULL);
	upc_barrier;
	upc_atomic_strict(d, &got, UPC_GET, &sum, NULL, NULL);
	IS(got == 50 * THREADS);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_ADD gives the value before.
FACT(atomic_fetch_add)
{
	static shared int x[THREADS];
	int before = 0, operand = 3;
	x[MYTHREAD] = 5;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, UPC_ATOMIC_HINT_DEFAULT);
	upc_atomic_strict(d, &before, UPC_ADD, &x[MYTHREAD], &operand, NULL);
	IS(before == 5 && x[MYTHREAD] == 8);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_SUB gives the value before.
FACT(atomic_fetch_sub)
{
	static shared int x[THREADS];
	int before = 0, operand = 3;
	x[MYTHREAD] = 5;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_SUB, UPC_ATOMIC_HINT_DEFAULT);
	upc_atomic_strict(d, &before, UPC_SUB, &x[MYTHREAD], &operand, NULL);
	IS(before == 5 && x[MYTHREAD] == 2);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_MULT gives the value before.
FACT(atomic_fetch_mult)
{
	static shared int x[THREADS];
	int before = 0, operand = 3;
	x[MYTHREAD] = 5;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_MULT, UPC_ATOMIC_HINT_DEFAULT);
	upc_atomic_strict(d, &before, UPC_MULT, &x[MYTHREAD], &operand, NULL);
	IS(before == 5 && x[MYTHREAD] == 15);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_MIN gives the value before.
FACT(atomic_fetch_min)
{
	static shared int x[THREADS];
	int before = 0, operand = 3;
	x[MYTHREAD] = 5;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_MIN, UPC_ATOMIC_HINT_DEFAULT);
	upc_atomic_strict(d, &before, UPC_MIN, &x[MYTHREAD], &operand, NULL);
	IS(before == 5 && x[MYTHREAD] == 3);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_MAX gives the value before.
FACT(atomic_fetch_max)
{
	static shared int x[THREADS];
	int before = 0, operand = 9;
	x[MYTHREAD] = 5;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_MAX, UPC_ATOMIC_HINT_DEFAULT);
	upc_atomic_strict(d, &before, UPC_MAX, &x[MYTHREAD], &operand, NULL);
	IS(before == 5 && x[MYTHREAD] == 9);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_AND gives the value before.
FACT(atomic_fetch_and)
{
	static shared int x[THREADS];
	int before = 0, operand = 5;
	x[MYTHREAD] = 7;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_AND, UPC_ATOMIC_HINT_DEFAULT);
	upc_atomic_strict(d, &before, UPC_AND, &x[MYTHREAD], &operand, NULL);
	IS(before == 7 && x[MYTHREAD] == 5);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_OR gives the value before.
FACT(atomic_fetch_or)
{
	static shared int x[THREADS];
	int before = 0, operand = 6;
	x[MYTHREAD] = 1;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_OR, UPC_ATOMIC_HINT_DEFAULT);
	upc_atomic_strict(d, &before, UPC_OR, &x[MYTHREAD], &operand, NULL);
	IS(before == 1 && x[MYTHREAD] == 7);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_XOR gives the value before.
FACT(atomic_fetch_xor)
{
	static shared int x[THREADS];
	int before = 0, operand = 2;
	x[MYTHREAD] = 7;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_XOR, UPC_ATOMIC_HINT_DEFAULT);
	upc_atomic_strict(d, &before, UPC_XOR, &x[MYTHREAD], &operand, NULL);
	IS(before == 7 && x[MYTHREAD] == 5);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_SET gives the value before.
FACT(atomic_fetch_set)
{
	static shared int x[THREADS];
	int before = 0, operand = 4;
	x[MYTHREAD] = 5;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_SET, UPC_ATOMIC_HINT_DEFAULT);
	upc_atomic_strict(d, &before, UPC_SET, &x[MYTHREAD], &operand, NULL);
	IS(before == 5 && x[MYTHREAD] == 4);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_INC and UPC_DEC take no operand.
FACT(atomic_inc_dec)
{
	static shared long x;
	if (MYTHREAD == 0)
		x = 10;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_LONG, UPC_INC | UPC_DEC, 0);
	upc_barrier;
	upc_atomic_relaxed(d, NULL, UPC_INC, &x, NULL, NULL);
	upc_atomic_relaxed(d, NULL, UPC_INC, &x, NULL, NULL);
	upc_atomic_relaxed(d, NULL, UPC_DEC, &x, NULL, NULL);
	upc_barrier;
	IS(x == 10 + THREADS);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 UPC_CSWAP stores if the value is the expected one.
FACT(atomic_cswap)
{
	static shared int x[THREADS];
	int before, expected = 4, wanted = 9;
	x[MYTHREAD] = 4;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_CSWAP, 0);
	upc_atomic_strict(d, &before, UPC_CSWAP, &x[MYTHREAD], &expected, &wanted);
	IS(before == 4 && x[MYTHREAD] == 9);
	upc_atomic_strict(d, &before, UPC_CSWAP, &x[MYTHREAD], &expected, &wanted);
	IS(before == 9 && x[MYTHREAD] == 9);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 One thread wins a race of UPC_CSWAP.
FACT(atomic_cswap_race)
{
	static shared int owner, wins[THREADS];
	int before, none = -1, me = MYTHREAD;
	if (MYTHREAD == 0)
		owner = -1;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_CSWAP | UPC_GET, 0);
	upc_barrier;
	upc_atomic_strict(d, &before, UPC_CSWAP, &owner, &none, &me);
	wins[MYTHREAD] = before == -1;
	upc_barrier;
	int n = 0;
	EACH(t, THREADS) n += wins[t];
	IS(n == 1 && wins[owner] == 1);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 Pointers-to-shared are read, set and swapped.
FACT(atomic_pts)
{
	static shared int a[THREADS];
	static shared int *shared p;
	shared void *before = 0, *operand = &a[MYTHREAD];
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_PTS, UPC_GET | UPC_SET | UPC_CSWAP, 0);
	if (MYTHREAD == 0)
		p = 0;
	upc_barrier;
	upc_atomic_relaxed(d, NULL, UPC_SET, &p, &operand, NULL);
	upc_barrier;
	upc_atomic_relaxed(d, &before, UPC_GET, &p, NULL, NULL);
	IS(before != 0 && before == (shared void *)&a[upc_threadof(before)]);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 Operations on an object of each other thread.
FACT(atomic_remote)
{
	static shared int x[THREADS];
	int one = 1;
	x[MYTHREAD] = 0;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, UPC_ATOMIC_HINT_LATENCY);
	upc_barrier;
	EACH(t, THREADS) upc_atomic_relaxed(d, NULL, UPC_ADD, &x[t], &one, NULL);
	upc_barrier;
	IS(x[MYTHREAD] == THREADS);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 A strict atomic flag orders relaxed data.
FACT(atomic_flag)
{
	static shared int data[THREADS], flag[THREADS];
	int one = 1, got = 0, next = (MYTHREAD + 1) % THREADS;
	flag[MYTHREAD] = 0;
	upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_SET | UPC_GET, UPC_ATOMIC_HINT_THROUGHPUT);
	upc_barrier;
	data[next] = 31;
	upc_atomic_strict(d, NULL, UPC_SET, &flag[next], &one, NULL);
	while (!got)
		upc_atomic_strict(d, &got, UPC_GET, &flag[MYTHREAD], NULL, NULL);
	IS(data[MYTHREAD] == 31);
	upc_barrier;
	upc_all_atomicdomain_free(d);
}

// 5.8 A null domain may be freed.
FACT(atomic_free_null)
{
	upc_all_atomicdomain_free(0);
	IS(1);
}

// 5.8 upc_atomic_isfast answers.
FACT(atomic_isfast)
{
	static shared int x;
	int fast = upc_atomic_isfast(UPC_INT, UPC_ADD, &x);
	IS(fast == 0 || fast != 0);
}
