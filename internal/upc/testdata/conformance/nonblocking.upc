#include "conform.h"
#include <upc_nb.h>

// 5.7 upc_memput_nb and upc_sync.
FACT(memput_nb)
{
	static shared [4] int a[4 * THREADS];
	int b[4] = { MYTHREAD, 2, 3, 4 };
	upc_handle_t h = upc_memput_nb(&a[4 * ((MYTHREAD + 1) % THREADS)], b, sizeof b);
	upc_sync(h);
	upc_barrier;
	IS(a[4 * MYTHREAD] == (MYTHREAD + THREADS - 1) % THREADS && a[4 * MYTHREAD + 3] == 4);
}

// 5.7 upc_memget_nb and upc_sync.
FACT(memget_nb)
{
	static shared [4] int a[4 * THREADS];
	int b[4];
	EACH(i, 4) a[4 * MYTHREAD + i] = MYTHREAD * 10 + (int)i;
	upc_barrier;
	int next = (MYTHREAD + 1) % THREADS;
	upc_sync(upc_memget_nb(b, &a[4 * next], sizeof b));
	EACH(i, 4) IS(b[i] == next * 10 + (int)i);
}

// 5.7 upc_memcpy_nb and upc_sync.
FACT(memcpy_nb)
{
	static shared [4] int a[4 * THREADS], b[4 * THREADS];
	EACH(i, 4) a[4 * MYTHREAD + i] = MYTHREAD + (int)i;
	upc_barrier;
	upc_handle_t h = upc_memcpy_nb(&b[4 * MYTHREAD], &a[4 * ((MYTHREAD + 1) % THREADS)], 4 * sizeof(int));
	upc_sync(h);
	EACH(i, 4) IS(b[4 * MYTHREAD + i] == (MYTHREAD + 1) % THREADS + (int)i);
}

// 5.7 upc_memset_nb and upc_sync.
FACT(memset_nb)
{
	static shared [8] char a[8 * THREADS];
	upc_sync(upc_memset_nb(&a[8 * ((MYTHREAD + 1) % THREADS)], 'q', 8));
	upc_barrier;
	EACH(i, 8) IS(a[8 * MYTHREAD + i] == 'q');
}

// 5.7 upc_sync_attempt succeeds in the end.
FACT(sync_attempt)
{
	static shared int a[THREADS];
	int x = 7;
	upc_handle_t h = upc_memput_nb(&a[(MYTHREAD + 1) % THREADS], &x, sizeof x);
	while (!upc_sync_attempt(h))
		;
	upc_barrier;
	IS(a[MYTHREAD] == 7);
}

// 5.7 The complete handle is always accepted and is all zero.
FACT(complete_handle)
{
	upc_handle_t h = UPC_COMPLETE_HANDLE, zero;
	memset(&zero, 0, sizeof zero);
	upc_sync(h);
	IS(upc_sync_attempt(h) != 0);
	IS(memcmp(&h, &zero, sizeof h) == 0);
}

// 5.7 Handles are completed in any order.
FACT(handles_in_any_order)
{
	static shared [3] int a[3 * THREADS];
	int x[3] = { 1, 2, 3 };
	upc_handle_t h[3];
	int next = (MYTHREAD + 1) % THREADS;
	EACH(i, 3) h[i] = upc_memput_nb(&a[3 * next + i], &x[i], sizeof(int));
	upc_sync(h[2]);
	upc_sync(h[0]);
	upc_sync(h[1]);
	upc_barrier;
	EACH(i, 3) IS(a[3 * MYTHREAD + i] == 1 + (int)i);
}

// 5.7 upc_memput_nbi and upc_synci.
FACT(memput_nbi)
{
	static shared [4] int a[4 * THREADS];
	int x[4] = { 5, 6, 7, 8 };
	EACH(i, 4) upc_memput_nbi(&a[4 * ((MYTHREAD + 1) % THREADS) + i], &x[i], sizeof(int));
	upc_synci();
	upc_barrier;
	EACH(i, 4) IS(a[4 * MYTHREAD + i] == 5 + (int)i);
}

// 5.7 upc_memget_nbi and upc_synci.
FACT(memget_nbi)
{
	static shared int a[THREADS];
	a[MYTHREAD] = MYTHREAD;
	upc_barrier;
	int *b = malloc(THREADS * sizeof(int));
	EACH(t, THREADS) upc_memget_nbi(&b[t], &a[t], sizeof(int));
	upc_synci();
	EACH(t, THREADS) IS(b[t] == (int)t);
	free(b);
}

// 5.7 upc_memcpy_nbi, upc_memset_nbi and upc_synci_attempt.
FACT(memcpy_nbi)
{
	static shared [4] char a[4 * THREADS], b[4 * THREADS];
	upc_memset_nbi(&a[4 * MYTHREAD], 'x', 4);
	while (!upc_synci_attempt())
		;
	upc_memcpy_nbi(&b[4 * ((MYTHREAD + 1) % THREADS)], &a[4 * MYTHREAD], 4);
	upc_synci();
	upc_barrier;
	EACH(i, 4) IS(b[4 * MYTHREAD + i] == 'x');
}

// 5.7 upc_synci without transfers returns.
FACT(synci_without_transfers)
{
	upc_synci();
	IS(upc_synci_attempt() != 0);
}

// 5.7 Non-blocking transfers of no bytes.
FACT(transfers_of_nothing_nb)
{
	static shared int a[THREADS];
	int x = 3;
	a[MYTHREAD] = 2;
	upc_sync(upc_memput_nb(&a[MYTHREAD], &x, 0));
	upc_sync(upc_memget_nb(&x, &a[MYTHREAD], 0));
	IS(x == 3 && a[MYTHREAD] == 2);
}
