#include "conform.h"

// 5.4 upc_all_broadcast gives the block of one thread to all (all).
FACT(broadcast_all)
{
	static shared [] int src[3];
	static shared [3] int dst[3 * THREADS];
	if (MYTHREAD == 0)
		EACH(i, 3) src[i] = 40 + i;
	upc_all_broadcast(dst, src, 3 * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	EACH(i, 3) IS(dst[3 * MYTHREAD + i] == 40 + (int)i);
}

// 5.4 upc_all_scatter gives a block to each thread (all).
FACT(scatter_all)
{
	static shared [] int *src;
	static shared [2] int dst[2 * THREADS];
	static shared [] int *shared where;
	if (MYTHREAD == 0) {
		where = (shared [] int *)upc_alloc(2 * THREADS * sizeof(int));
		EACH(i, 2 * THREADS) where[i] = 7 * (int)i;
	}
	upc_barrier;
	src = where;
	upc_all_scatter(dst, src, 2 * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	EACH(i, 2) IS(dst[2 * MYTHREAD + i] == 7 * (int)(2 * MYTHREAD + i));
	upc_barrier;
	upc_all_free(src);
}

// 5.4 upc_all_gather collects the blocks on one thread (all).
FACT(gather_all)
{
	static shared [2] int src[2 * THREADS];
	static shared [] int *shared where;
	if (MYTHREAD == 0)
		where = (shared [] int *)upc_alloc(2 * THREADS * sizeof(int));
	EACH(i, 2) src[2 * MYTHREAD + i] = 5 * MYTHREAD + (int)i;
	upc_barrier;
	shared [] int *dst = where;
	upc_all_gather(dst, src, 2 * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	upc_barrier;
	EACH(t, THREADS) EACH(i, 2) IS(dst[2 * t + i] == (int)(5 * t + i));
	upc_barrier;
	upc_all_free(dst);
}

// 5.4 upc_all_gather_all collects the blocks on all threads (all).
FACT(gather_all_all)
{
	static shared [2] int src[2 * THREADS];
	shared int *dst = (shared int *)upc_all_alloc(THREADS, 2 * THREADS * sizeof(int));
	EACH(i, 2) src[2 * MYTHREAD + i] = 3 * MYTHREAD + (int)i;
	upc_all_gather_all(dst, src, 2 * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int *mine = (int *)(dst + MYTHREAD);
	EACH(t, THREADS) EACH(i, 2) IS(mine[2 * t + i] == (int)(3 * t + i));
	upc_barrier;
	upc_all_free(dst);
}

// 5.4 upc_all_exchange gives a block of each thread to each thread (all).
FACT(exchange_all)
{
	shared int *src = (shared int *)upc_all_alloc(THREADS, THREADS * sizeof(int));
	shared int *dst = (shared int *)upc_all_alloc(THREADS, THREADS * sizeof(int));
	int *mine = (int *)(src + MYTHREAD);
	EACH(t, THREADS) mine[t] = 100 * MYTHREAD + (int)t;
	upc_all_exchange(dst, src, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int *got = (int *)(dst + MYTHREAD);
	EACH(t, THREADS) IS(got[t] == 100 * (int)t + MYTHREAD);
	upc_barrier;
	upc_all_free(src);
	upc_all_free(dst);
}

// 5.4 upc_all_permute sends the blocks by a permutation (all).
FACT(permute_all)
{
	static shared [2] int src[2 * THREADS], dst[2 * THREADS];
	static shared int perm[THREADS];
	EACH(i, 2) src[2 * MYTHREAD + i] = 9 * MYTHREAD + (int)i;
	perm[MYTHREAD] = (MYTHREAD + 1) % THREADS;
	upc_all_permute(dst, src, perm, 2 * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int before = (MYTHREAD + THREADS - 1) % THREADS;
	EACH(i, 2) IS(dst[2 * MYTHREAD + i] == 9 * before + (int)i);
}

// 5.4 upc_all_broadcast gives the block of one thread to all (my).
FACT(broadcast_my)
{
	static shared [] int src[3];
	static shared [3] int dst[3 * THREADS];
	if (MYTHREAD == 0)
		EACH(i, 3) src[i] = 40 + i;
	upc_all_broadcast(dst, src, 3 * sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	EACH(i, 3) IS(dst[3 * MYTHREAD + i] == 40 + (int)i);
}

// 5.4 upc_all_scatter gives a block to each thread (my).
FACT(scatter_my)
{
	static shared [] int *src;
	static shared [2] int dst[2 * THREADS];
	static shared [] int *shared where;
	if (MYTHREAD == 0) {
		where = (shared [] int *)upc_alloc(2 * THREADS * sizeof(int));
		EACH(i, 2 * THREADS) where[i] = 7 * (int)i;
	}
	upc_barrier;
	src = where;
	upc_all_scatter(dst, src, 2 * sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	EACH(i, 2) IS(dst[2 * MYTHREAD + i] == 7 * (int)(2 * MYTHREAD + i));
	upc_barrier;
	upc_all_free(src);
}

// 5.4 upc_all_gather collects the blocks on one thread (my).
FACT(gather_my)
{
	static shared [2] int src[2 * THREADS];
	static shared [] int *shared where;
	if (MYTHREAD == 0)
		where = (shared [] int *)upc_alloc(2 * THREADS * sizeof(int));
	EACH(i, 2) src[2 * MYTHREAD + i] = 5 * MYTHREAD + (int)i;
	upc_barrier;
	shared [] int *dst = where;
	upc_all_gather(dst, src, 2 * sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	upc_barrier;
	EACH(t, THREADS) EACH(i, 2) IS(dst[2 * t + i] == (int)(5 * t + i));
	upc_barrier;
	upc_all_free(dst);
}

// 5.4 upc_all_gather_all collects the blocks on all threads (my).
FACT(gather_all_my)
{
	static shared [2] int src[2 * THREADS];
	shared int *dst = (shared int *)upc_all_alloc(THREADS, 2 * THREADS * sizeof(int));
	EACH(i, 2) src[2 * MYTHREAD + i] = 3 * MYTHREAD + (int)i;
	upc_all_gather_all(dst, src, 2 * sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	int *mine = (int *)(dst + MYTHREAD);
	EACH(t, THREADS) EACH(i, 2) IS(mine[2 * t + i] == (int)(3 * t + i));
	upc_barrier;
	upc_all_free(dst);
}

// 5.4 upc_all_exchange gives a block of each thread to each thread (my).
FACT(exchange_my)
{
	shared int *src = (shared int *)upc_all_alloc(THREADS, THREADS * sizeof(int));
	shared int *dst = (shared int *)upc_all_alloc(THREADS, THREADS * sizeof(int));
	int *mine = (int *)(src + MYTHREAD);
	EACH(t, THREADS) mine[t] = 100 * MYTHREAD + (int)t;
	upc_all_exchange(dst, src, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	int *got = (int *)(dst + MYTHREAD);
	EACH(t, THREADS) IS(got[t] == 100 * (int)t + MYTHREAD);
	upc_barrier;
	upc_all_free(src);
	upc_all_free(dst);
}

// 5.4 upc_all_permute sends the blocks by a permutation (my).
FACT(permute_my)
{
	static shared [2] int src[2 * THREADS], dst[2 * THREADS];
	static shared int perm[THREADS];
	EACH(i, 2) src[2 * MYTHREAD + i] = 9 * MYTHREAD + (int)i;
	perm[MYTHREAD] = (MYTHREAD + 1) % THREADS;
	upc_all_permute(dst, src, perm, 2 * sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	int before = (MYTHREAD + THREADS - 1) % THREADS;
	EACH(i, 2) IS(dst[2 * MYTHREAD + i] == 9 * before + (int)i);
}

// 5.4 upc_all_broadcast gives the block of one thread to all (no).
FACT(broadcast_no)
{
	static shared [] int src[3];
	static shared [3] int dst[3 * THREADS];
	if (MYTHREAD == 0)
		EACH(i, 3) src[i] = 40 + i;
	upc_barrier;
	upc_all_broadcast(dst, src, 3 * sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
	upc_barrier;
	EACH(i, 3) IS(dst[3 * MYTHREAD + i] == 40 + (int)i);
}

// 5.4 upc_all_scatter gives a block to each thread (no).
FACT(scatter_no)
{
	static shared [] int *src;
	static shared [2] int dst[2 * THREADS];
	static shared [] int *shared where;
	if (MYTHREAD == 0) {
		where = (shared [] int *)upc_alloc(2 * THREADS * sizeof(int));
		EACH(i, 2 * THREADS) where[i] = 7 * (int)i;
	}
	upc_barrier;
	src = where;
	upc_all_scatter(dst, src, 2 * sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
	upc_barrier;
	EACH(i, 2) IS(dst[2 * MYTHREAD + i] == 7 * (int)(2 * MYTHREAD + i));
	upc_barrier;
	upc_all_free(src);
}

// 5.4 upc_all_gather collects the blocks on one thread (no).
FACT(gather_no)
{
	static shared [2] int src[2 * THREADS];
	static shared [] int *shared where;
	if (MYTHREAD == 0)
		where = (shared [] int *)upc_alloc(2 * THREADS * sizeof(int));
	EACH(i, 2) src[2 * MYTHREAD + i] = 5 * MYTHREAD + (int)i;
	upc_barrier;
	shared [] int *dst = where;
	upc_all_gather(dst, src, 2 * sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
	upc_barrier;
	EACH(t, THREADS) EACH(i, 2) IS(dst[2 * t + i] == (int)(5 * t + i));
	upc_barrier;
	upc_all_free(dst);
}

// 5.4 upc_all_gather_all collects the blocks on all threads (no).
FACT(gather_all_no)
{
	static shared [2] int src[2 * THREADS];
	shared int *dst = (shared int *)upc_all_alloc(THREADS, 2 * THREADS * sizeof(int));
	EACH(i, 2) src[2 * MYTHREAD + i] = 3 * MYTHREAD + (int)i;
	upc_barrier;
	upc_all_gather_all(dst, src, 2 * sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
	upc_barrier;
	int *mine = (int *)(dst + MYTHREAD);
	EACH(t, THREADS) EACH(i, 2) IS(mine[2 * t + i] == (int)(3 * t + i));
	upc_barrier;
	upc_all_free(dst);
}

// 5.4 upc_all_exchange gives a block of each thread to each thread (no).
FACT(exchange_no)
{
	shared int *src = (shared int *)upc_all_alloc(THREADS, THREADS * sizeof(int));
	shared int *dst = (shared int *)upc_all_alloc(THREADS, THREADS * sizeof(int));
	int *mine = (int *)(src + MYTHREAD);
	EACH(t, THREADS) mine[t] = 100 * MYTHREAD + (int)t;
	upc_barrier;
	upc_all_exchange(dst, src, sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
	upc_barrier;
	int *got = (int *)(dst + MYTHREAD);
	EACH(t, THREADS) IS(got[t] == 100 * (int)t + MYTHREAD);
	upc_barrier;
	upc_all_free(src);
	upc_all_free(dst);
}

// 5.4 upc_all_permute sends the blocks by a permutation (no).
FACT(permute_no)
{
	static shared [2] int src[2 * THREADS], dst[2 * THREADS];
	static shared int perm[THREADS];
	EACH(i, 2) src[2 * MYTHREAD + i] = 9 * MYTHREAD + (int)i;
	perm[MYTHREAD] = (MYTHREAD + 1) % THREADS;
	upc_barrier;
	upc_all_permute(dst, src, perm, 2 * sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
	upc_barrier;
	int before = (MYTHREAD + THREADS - 1) % THREADS;
	EACH(i, 2) IS(dst[2 * MYTHREAD + i] == 9 * before + (int)i);
}

// 5.4 upc_all_broadcast gives the block of one thread to all (zero).
FACT(broadcast_zero)
{
	static shared [] int src[3];
	static shared [3] int dst[3 * THREADS];
	if (MYTHREAD == 0)
		EACH(i, 3) src[i] = 40 + i;
	upc_all_broadcast(dst, src, 3 * sizeof(int), 0);
	EACH(i, 3) IS(dst[3 * MYTHREAD + i] == 40 + (int)i);
}

// 5.4 upc_all_scatter gives a block to each thread (zero).
FACT(scatter_zero)
{
	static shared [] int *src;
	static shared [2] int dst[2 * THREADS];
	static shared [] int *shared where;
	if (MYTHREAD == 0) {
		where = (shared [] int *)upc_alloc(2 * THREADS * sizeof(int));
		EACH(i, 2 * THREADS) where[i] = 7 * (int)i;
	}
	upc_barrier;
	src = where;
	upc_all_scatter(dst, src, 2 * sizeof(int), 0);
	EACH(i, 2) IS(dst[2 * MYTHREAD + i] == 7 * (int)(2 * MYTHREAD + i));
	upc_barrier;
	upc_all_free(src);
}

// 5.4 upc_all_gather collects the blocks on one thread (zero).
FACT(gather_zero)
{
	static shared [2] int src[2 * THREADS];
	static shared [] int *shared where;
	if (MYTHREAD == 0)
		where = (shared [] int *)upc_alloc(2 * THREADS * sizeof(int));
	EACH(i, 2) src[2 * MYTHREAD + i] = 5 * MYTHREAD + (int)i;
	upc_barrier;
	shared [] int *dst = where;
	upc_all_gather(dst, src, 2 * sizeof(int), 0);
	upc_barrier;
	EACH(t, THREADS) EACH(i, 2) IS(dst[2 * t + i] == (int)(5 * t + i));
	upc_barrier;
	upc_all_free(dst);
}

// 5.4 upc_all_gather_all collects the blocks on all threads (zero).
FACT(gather_all_zero)
{
	static shared [2] int src[2 * THREADS];
	shared int *dst = (shared int *)upc_all_alloc(THREADS, 2 * THREADS * sizeof(int));
	EACH(i, 2) src[2 * MYTHREAD + i] = 3 * MYTHREAD + (int)i;
	upc_all_gather_all(dst, src, 2 * sizeof(int), 0);
	int *mine = (int *)(dst + MYTHREAD);
	EACH(t, THREADS) EACH(i, 2) IS(mine[2 * t + i] == (int)(3 * t + i));
	upc_barrier;
	upc_all_free(dst);
}

// 5.4 upc_all_exchange gives a block of each thread to each thread (zero).
FACT(exchange_zero)
{
	shared int *src = (shared int *)upc_all_alloc(THREADS, THREADS * sizeof(int));
	shared int *dst = (shared int *)upc_all_alloc(THREADS, THREADS * sizeof(int));
	int *mine = (int *)(src + MYTHREAD);
	EACH(t, THREADS) mine[t] = 100 * MYTHREAD + (int)t;
	upc_all_exchange(dst, src, sizeof(int), 0);
	int *got = (int *)(dst + MYTHREAD);
	EACH(t, THREADS) IS(got[t] == 100 * (int)t + MYTHREAD);
	upc_barrier;
	upc_all_free(src);
	upc_all_free(dst);
}

// 5.4 upc_all_permute sends the blocks by a permutation (zero).
FACT(permute_zero)
{
	static shared [2] int src[2 * THREADS], dst[2 * THREADS];
	static shared int perm[THREADS];
	EACH(i, 2) src[2 * MYTHREAD + i] = 9 * MYTHREAD + (int)i;
	perm[MYTHREAD] = (MYTHREAD + 1) % THREADS;
	upc_all_permute(dst, src, perm, 2 * sizeof(int), 0);
	int before = (MYTHREAD + THREADS - 1) % THREADS;
	EACH(i, 2) IS(dst[2 * MYTHREAD + i] == 9 * before + (int)i);
}

// 5.4 upc_all_reduceC with UPC_ADD, UPC_MIN and UPC_MAX.
FACT(reduce_C)
{
	static shared [2] signed char a[4 * THREADS];
	static shared signed char r;
	upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
		a[i] = i + 1;
	upc_all_reduceC(&r, a, UPC_ADD, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (signed char)(4 * THREADS * (4 * THREADS + 1) / 2));
	upc_barrier;
	upc_all_reduceC(&r, a, UPC_MIN, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 1);
	upc_barrier;
	upc_all_reduceC(&r, a, UPC_MAX, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (signed char)(4 * THREADS));
}

// 5.4 upc_all_prefix_reduceC with UPC_ADD.
FACT(prefix_reduce_C)
{
	static shared [3] signed char a[6 * THREADS], b[6 * THREADS];
	upc_forall (int i = 0; i < 6 * THREADS; i++; &a[i])
		a[i] = i % 3;
	upc_all_prefix_reduceC(b, a, UPC_ADD, 6 * THREADS, 3, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int sum = 0;
	EACH(i, 6 * THREADS) {
		sum += (int)i % 3;
		IS(b[i] == (signed char)sum);
	}
}

// 5.4 upc_all_reduceUC with UPC_ADD, UPC_MIN and UPC_MAX.
FACT(reduce_UC)
{
	static shared [2] unsigned char a[4 * THREADS];
	static shared unsigned char r;
	upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
		a[i] = i + 1;
	upc_all_reduceUC(&r, a, UPC_ADD, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (unsigned char)(4 * THREADS * (4 * THREADS + 1) / 2));
	upc_barrier;
	upc_all_reduceUC(&r, a, UPC_MIN, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 1);
	upc_barrier;
	upc_all_reduceUC(&r, a, UPC_MAX, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (unsigned char)(4 * THREADS));
}

// 5.4 upc_all_prefix_reduceUC with UPC_ADD.
FACT(prefix_reduce_UC)
{
	static shared [3] unsigned char a[6 * THREADS], b[6 * THREADS];
	upc_forall (int i = 0; i < 6 * THREADS; i++; &a[i])
		a[i] = i % 3;
	upc_all_prefix_reduceUC(b, a, UPC_ADD, 6 * THREADS, 3, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int sum = 0;
	EACH(i, 6 * THREADS) {
		sum += (int)i % 3;
		IS(b[i] == (unsigned char)sum);
	}
}

// 5.4 upc_all_reduceS with UPC_ADD, UPC_MIN and UPC_MAX.
FACT(reduce_S)
{
	static shared [2] short a[4 * THREADS];
	static shared short r;
	upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
		a[i] = i + 1;
	upc_all_reduceS(&r, a, UPC_ADD, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (short)(4 * THREADS * (4 * THREADS + 1) / 2));
	upc_barrier;
	upc_all_reduceS(&r, a, UPC_MIN, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 1);
	upc_barrier;
	upc_all_reduceS(&r, a, UPC_MAX, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (short)(4 * THREADS));
}

// 5.4 upc_all_prefix_reduceS with UPC_ADD.
FACT(prefix_reduce_S)
{
	static shared [3] short a[6 * THREADS], b[6 * THREADS];
	upc_forall (int i = 0; i < 6 * THREADS; i++; &a[i])
		a[i] = i % 3;
	upc_all_prefix_reduceS(b, a, UPC_ADD, 6 * THREADS, 3, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int sum = 0;
	EACH(i, 6 * THREADS) {
		sum += (int)i % 3;
		IS(b[i] == (short)sum);
	}
}

// 5.4 upc_all_reduceUS with UPC_ADD, UPC_MIN and UPC_MAX.
FACT(reduce_US)
{
	static shared [2] unsigned short a[4 * THREADS];
	static shared unsigned short r;
	upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
		a[i] = i + 1;
	upc_all_reduceUS(&r, a, UPC_ADD, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (unsigned short)(4 * THREADS * (4 * THREADS + 1) / 2));
	upc_barrier;
	upc_all_reduceUS(&r, a, UPC_MIN, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 1);
	upc_barrier;
	upc_all_reduceUS(&r, a, UPC_MAX, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (unsigned short)(4 * THREADS));
}

// 5.4 upc_all_prefix_reduceUS with UPC_ADD.
FACT(prefix_reduce_US)
{
	static shared [3] unsigned short a[6 * THREADS], b[6 * THREADS];
	upc_forall (int i = 0; i < 6 * THREADS; i++; &a[i])
		a[i] = i % 3;
	upc_all_prefix_reduceUS(b, a, UPC_ADD, 6 * THREADS, 3, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int sum = 0;
	EACH(i, 6 * THREADS) {
		sum += (int)i % 3;
		IS(b[i] == (unsigned short)sum);
	}
}

// 5.4 upc_all_reduceI with UPC_ADD, UPC_MIN and UPC_MAX.
FACT(reduce_I)
{
	static shared [2] int a[4 * THREADS];
	static shared int r;
	upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
		a[i] = i + 1;
	upc_all_reduceI(&r, a, UPC_ADD, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (int)(4 * THREADS * (4 * THREADS + 1) / 2));
	upc_barrier;
	upc_all_reduceI(&r, a, UPC_MIN, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 1);
	upc_barrier;
	upc_all_reduceI(&r, a, UPC_MAX, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (int)(4 * THREADS));
}

// 5.4 upc_all_prefix_reduceI with UPC_ADD.
FACT(prefix_reduce_I)
{
	static shared [3] int a[6 * THREADS], b[6 * THREADS];
	upc_forall (int i = 0; i < 6 * THREADS; i++; &a[i])
		a[i] = i % 3;
	upc_all_prefix_reduceI(b, a, UPC_ADD, 6 * THREADS, 3, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int sum = 0;
	EACH(i, 6 * THREADS) {
		sum += (int)i % 3;
		IS(b[i] == (int)sum);
	}
}

// 5.4 upc_all_reduceUI with UPC_ADD, UPC_MIN and UPC_MAX.
FACT(reduce_UI)
{
	static shared [2] unsigned int a[4 * THREADS];
	static shared unsigned int r;
	upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
		a[i] = i + 1;
	upc_all_reduceUI(&r, a, UPC_ADD, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (unsigned int)(4 * THREADS * (4 * THREADS + 1) / 2));
	upc_barrier;
	upc_all_reduceUI(&r, a, UPC_MIN, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 1);
	upc_barrier;
	upc_all_reduceUI(&r, a, UPC_MAX, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (unsigned int)(4 * THREADS));
}

// 5.4 upc_all_prefix_reduceUI with UPC_ADD.
FACT(prefix_reduce_UI)
{
	static shared [3] unsigned int a[6 * THREADS], b[6 * THREADS];
	upc_forall (int i = 0; i < 6 * THREADS; i++; &a[i])
		a[i] = i % 3;
	upc_all_prefix_reduceUI(b, a, UPC_ADD, 6 * THREADS, 3, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int sum = 0;
	EACH(i, 6 * THREADS) {
		sum += (int)i % 3;
		IS(b[i] == (unsigned int)sum);
	}
}

// 5.4 upc_all_reduceL with UPC_ADD, UPC_MIN and UPC_MAX.
FACT(reduce_L)
{
	static shared [2] long a[4 * THREADS];
	static shared long r;
	upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
		a[i] = i + 1;
	upc_all_reduceL(&r, a, UPC_ADD, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (long)(4 * THREADS * (4 * THREADS + 1) / 2));
	upc_barrier;
	upc_all_reduceL(&r, a, UPC_MIN, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 1);
	upc_barrier;
	upc_all_reduceL(&r, a, UPC_MAX, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (long)(4 * THREADS));
}

// 5.4 upc_all_prefix_reduceL with UPC_ADD.
FACT(prefix_reduce_L)
{
	static shared [3] long a[6 * THREADS], b[6 * THREADS];
	upc_forall (int i = 0; i < 6 * THREADS; i++; &a[i])
		a[i] = i % 3;
	upc_all_prefix_reduceL(b, a, UPC_ADD, 6 * THREADS, 3, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int sum = 0;
	EACH(i, 6 * THREADS) {
		sum += (int)i % 3;
		IS(b[i] == (long)sum);
	}
}

// 5.4 upc_all_reduceUL with UPC_ADD, UPC_MIN and UPC_MAX.
FACT(reduce_UL)
{
	static shared [2] unsigned long a[4 * THREADS];
	static shared unsigned long r;
	upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
		a[i] = i + 1;
	upc_all_reduceUL(&r, a, UPC_ADD, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (unsigned long)(4 * THREADS * (4 * THREADS + 1) / 2));
	upc_barrier;
	upc_all_reduceUL(&r, a, UPC_MIN, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 1);
	upc_barrier;
	upc_all_reduceUL(&r, a, UPC_MAX, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (unsigned long)(4 * THREADS));
}

// 5.4 upc_all_prefix_reduceUL with UPC_ADD.
FACT(prefix_reduce_UL)
{
	static shared [3] unsigned long a[6 * THREADS], b[6 * THREADS];
	upc_forall (int i = 0; i < 6 * THREADS; i++; &a[i])
		a[i] = i % 3;
	upc_all_prefix_reduceUL(b, a, UPC_ADD, 6 * THREADS, 3, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int sum = 0;
	EACH(i, 6 * THREADS) {
		sum += (int)i % 3;
		IS(b[i] == (unsigned long)sum);
	}
}

// 5.4 upc_all_reduceF with UPC_ADD, UPC_MIN and UPC_MAX.
FACT(reduce_F)
{
	static shared [2] float a[4 * THREADS];
	static shared float r;
	upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
		a[i] = i + 1;
	upc_all_reduceF(&r, a, UPC_ADD, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (float)(4 * THREADS * (4 * THREADS + 1) / 2));
	upc_barrier;
	upc_all_reduceF(&r, a, UPC_MIN, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 1);
	upc_barrier;
	upc_all_reduceF(&r, a, UPC_MAX, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (float)(4 * THREADS));
}

// 5.4 upc_all_prefix_reduceF with UPC_ADD.
FACT(prefix_reduce_F)
{
	static shared [3] float a[6 * THREADS], b[6 * THREADS];
	upc_forall (int i = 0; i < 6 * THREADS; i++; &a[i])
		a[i] = i % 3;
	upc_all_prefix_reduceF(b, a, UPC_ADD, 6 * THREADS, 3, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int sum = 0;
	EACH(i, 6 * THREADS) {
		sum += (int)i % 3;
		IS(b[i] == (float)sum);
	}
}

// 5.4 upc_all_reduceD with UPC_ADD, UPC_MIN and UPC_MAX.
FACT(reduce_D)
{
	static shared [2] double a[4 * THREADS];
	static shared double r;
	upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
		a[i] = i + 1;
	upc_all_reduceD(&r, a, UPC_ADD, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (double)(4 * THREADS * (4 * THREADS + 1) / 2));
	upc_barrier;
	upc_all_reduceD(&r, a, UPC_MIN, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 1);
	upc_barrier;
	upc_all_reduceD(&r, a, UPC_MAX, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (double)(4 * THREADS));
}

// 5.4 upc_all_prefix_reduceD with UPC_ADD.
FACT(prefix_reduce_D)
{
	static shared [3] double a[6 * THREADS], b[6 * THREADS];
	upc_forall (int i = 0; i < 6 * THREADS; i++; &a[i])
		a[i] = i % 3;
	upc_all_prefix_reduceD(b, a, UPC_ADD, 6 * THREADS, 3, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int sum = 0;
	EACH(i, 6 * THREADS) {
		sum += (int)i % 3;
		IS(b[i] == (double)sum);
	}
}

// 5.4 upc_all_reduceLD with UPC_ADD, UPC_MIN and UPC_MAX.
FACT(reduce_LD)
{
	static shared [2] long double a[4 * THREADS];
	static shared long double r;
	upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
		a[i] = i + 1;
	upc_all_reduceLD(&r, a, UPC_ADD, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (long double)(4 * THREADS * (4 * THREADS + 1) / 2));
	upc_barrier;
	upc_all_reduceLD(&r, a, UPC_MIN, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 1);
	upc_barrier;
	upc_all_reduceLD(&r, a, UPC_MAX, 4 * THREADS, 2, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == (long double)(4 * THREADS));
}

// 5.4 upc_all_prefix_reduceLD with UPC_ADD.
FACT(prefix_reduce_LD)
{
	static shared [3] long double a[6 * THREADS], b[6 * THREADS];
	upc_forall (int i = 0; i < 6 * THREADS; i++; &a[i])
		a[i] = i % 3;
	upc_all_prefix_reduceLD(b, a, UPC_ADD, 6 * THREADS, 3, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int sum = 0;
	EACH(i, 6 * THREADS) {
		sum += (int)i % 3;
		IS(b[i] == (long double)sum);
	}
}

// 5.4 upc_all_reduceI with UPC_ADD.
FACT(reduce_op_add)
{
	static shared int a[2 * THREADS];
	static shared int r;
	EACH(i, 2) a[MYTHREAD + i * THREADS] = 1 + (MYTHREAD + (int)i) % 2 * 2;
	upc_all_reduceI(&r, a, UPC_ADD, 2 * THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int want = a[0];
	for (int i = 1; i < 2 * THREADS; i++)
		want = want + a[i];
	IS(r == want);
}

// 5.4 upc_all_reduceI with UPC_MULT.
FACT(reduce_op_mult)
{
	static shared int a[2 * THREADS];
	static shared int r;
	EACH(i, 2) a[MYTHREAD + i * THREADS] = 1 + (MYTHREAD + (int)i) % 2 * 2;
	upc_all_reduceI(&r, a, UPC_MULT, 2 * THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int want = a[0];
	for (int i = 1; i < 2 * THREADS; i++)
		want = want * a[i];
	IS(r == want);
}

// 5.4 upc_all_reduceI with UPC_AND.
FACT(reduce_op_and)
{
	static shared int a[2 * THREADS];
	static shared int r;
	EACH(i, 2) a[MYTHREAD + i * THREADS] = 1 + (MYTHREAD + (int)i) % 2 * 2;
	upc_all_reduceI(&r, a, UPC_AND, 2 * THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int want = a[0];
	for (int i = 1; i < 2 * THREADS; i++)
		want = want & a[i];
	IS(r == want);
}

// 5.4 upc_all_reduceI with UPC_OR.
FACT(reduce_op_or)
{
	static shared int a[2 * THREADS];
	static shared int r;
	EACH(i, 2) a[MYTHREAD + i * THREADS] = 1 + (MYTHREAD + (int)i) % 2 * 2;
	upc_all_reduceI(&r, a, UPC_OR, 2 * THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int want = a[0];
	for (int i = 1; i < 2 * THREADS; i++)
		want = want | a[i];
	IS(r == want);
}

// 5.4 upc_all_reduceI with UPC_XOR.
FACT(reduce_op_xor)
{
	static shared int a[2 * THREADS];
	static shared int r;
	EACH(i, 2) a[MYTHREAD + i * THREADS] = 1 + (MYTHREAD + (int)i) % 2 * 2;
	upc_all_reduceI(&r, a, UPC_XOR, 2 * THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int want = a[0];
	for (int i = 1; i < 2 * THREADS; i++)
		want = want ^ a[i];
	IS(r == want);
}

// 5.4 upc_all_reduceI with UPC_LOGAND.
FACT(reduce_op_logand)
{
	static shared int a[2 * THREADS];
	static shared int r;
	EACH(i, 2) a[MYTHREAD + i * THREADS] = 1 + (MYTHREAD + (int)i) % 2 * 2;
	upc_all_reduceI(&r, a, UPC_LOGAND, 2 * THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int want = a[0];
	for (int i = 1; i < 2 * THREADS; i++)
		want = want && a[i];
	IS(r == want);
}

// 5.4 upc_all_reduceI with UPC_LOGOR.
FACT(reduce_op_logor)
{
	static shared int a[2 * THREADS];
	static shared int r;
	EACH(i, 2) a[MYTHREAD + i * THREADS] = 1 + (MYTHREAD + (int)i) % 2 * 2;
	upc_all_reduceI(&r, a, UPC_LOGOR, 2 * THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int want = a[0];
	for (int i = 1; i < 2 * THREADS; i++)
		want = want || a[i];
	IS(r == want);
}

// 5.4 upc_all_reduceI with UPC_FUNC.
static int larger(int a, int b)
{
	return a > b ? a : b;
}
FACT(reduce_func)
{
	static shared [2] int a[2 * THREADS];
	static shared int r;
	EACH(i, 2) a[2 * MYTHREAD + i] = MYTHREAD + 2 + (int)i;
	upc_all_reduceI(&r, a, UPC_FUNC, 2 * THREADS, 2, larger, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == THREADS + 2);
}

// 5.4 upc_all_reduceI with UPC_NONCOMM_FUNC keeps the order.
static int left(int a, int b)
{
	(void)b;
	return a;
}
static int right(int a, int b)
{
	(void)a;
	return b;
}
FACT(reduce_noncommutative)
{
	static shared [3] int a[3 * THREADS];
	static shared int r;
	EACH(i, 3) a[3 * MYTHREAD + i] = 3 * MYTHREAD + (int)i + 5;
	upc_all_reduceI(&r, a, UPC_NONCOMM_FUNC, 3 * THREADS, 3, left, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 5);
	upc_barrier;
	upc_all_reduceI(&r, a, UPC_NONCOMM_FUNC, 3 * THREADS, 3, right, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 3 * THREADS + 4);
}

// 5.4 A reduction of an array of indefinite layout.
FACT(reduce_indefinite)
{
	static shared [] double a[6];
	static shared double r;
	if (MYTHREAD == 0)
		EACH(i, 6) a[i] = 0.5;
	upc_all_reduceD(&r, a, UPC_ADD, 6, 0, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 3.0);
}

// 5.4 A reduction may begin in the middle of a block.
FACT(reduce_with_phase)
{
	static shared [4] int a[8 * THREADS];
	static shared int r;
	upc_forall (int i = 0; i < 8 * THREADS; i++; &a[i])
		a[i] = i;
	upc_all_reduceI(&r, a + 2, UPC_ADD, 5, 4, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r == 2 + 3 + 4 + 5 + 6);
}

// 5.4 The result of a reduction may be on any thread.
FACT(reduce_to_any_thread)
{
	static shared int a[THREADS], r[THREADS];
	a[MYTHREAD] = MYTHREAD + 1;
	upc_all_reduceI(&r[THREADS - 1], a, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(r[THREADS - 1] == THREADS * (THREADS + 1) / 2);
}

// 5.4 upc_all_prefix_reduceI with UPC_FUNC.
FACT(prefix_reduce_func)
{
	static shared [2] int a[4 * THREADS], b[4 * THREADS];
	upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
		a[i] = i % 5;
	upc_all_prefix_reduceI(b, a, UPC_FUNC, 4 * THREADS, 2, larger, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	int most = 0;
	EACH(i, 4 * THREADS) {
		most = larger(most, (int)i % 5);
		IS(b[i] == most);
	}
}

// 5.4 A broadcast from another thread than 0.
FACT(broadcast_from_any)
{
	static shared int src[THREADS], dst[THREADS];
	src[MYTHREAD] = 60 + MYTHREAD;
	upc_all_broadcast(dst, &src[THREADS - 1], sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	IS(dst[MYTHREAD] == 60 + THREADS - 1);
}

// 5.4 Flags of different kinds for entry and exit.
FACT(mixed_flags)
{
	static shared int src[THREADS], dst[THREADS];
	src[MYTHREAD] = 3;
	upc_barrier;
	upc_all_broadcast(dst, src, sizeof(int), UPC_IN_NOSYNC | UPC_OUT_ALLSYNC);
	EACH(t, THREADS) IS(dst[t] == 3);
	upc_barrier;
	src[MYTHREAD] = 4;
	upc_all_broadcast(dst, src, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_NOSYNC);
	upc_barrier;
	EACH(t, THREADS) IS(dst[t] == 4);
}
