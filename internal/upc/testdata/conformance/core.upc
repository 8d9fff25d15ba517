#include "conform.h"

// 5.2 upc_all_alloc gives the same object to all threads, its first block on thread 0.
FACT(all_alloc)
{
	shared [3] int *p = (shared [3] int *)upc_all_alloc(2 * THREADS, 3 * sizeof(int));
	static shared [3] int *shared got[THREADS];
	IS(p != 0 && upc_threadof(p) == 0 && upc_phaseof(p) == 0);
	got[MYTHREAD] = p;
	upc_barrier;
	EACH(t, THREADS) IS(got[t] == p);
	upc_forall (int i = 0; i < 6 * THREADS; i++; p + i)
		p[i] = i;
	upc_barrier;
	EACH(i, 6 * THREADS) IS(p[i] == (int)i);
	upc_all_free(p);
}

// 5.2 upc_global_alloc gives each caller an object of its own.
FACT(global_alloc)
{
	static shared int *shared got[THREADS];
	got[MYTHREAD] = (shared int *)upc_global_alloc(THREADS, sizeof(int));
	upc_barrier;
	EACH(t, THREADS) IS(upc_threadof(got[t]) == 0 && (t == MYTHREAD || got[t] != got[MYTHREAD]));
	EACH(i, THREADS) got[MYTHREAD][i] = 10 * MYTHREAD + i;
	upc_barrier;
	EACH(t, THREADS) EACH(i, THREADS) IS(got[t][i] == (int)(10 * t + i));
	upc_barrier;
	upc_free(got[MYTHREAD]);
}

// 5.2 upc_alloc gives an object of this thread.
FACT(alloc)
{
	static shared [] int *shared got[THREADS];
	shared [] int *p = (shared [] int *)upc_alloc(5 * sizeof(int));
	IS(upc_threadof(p) == MYTHREAD && upc_phaseof(p) == 0);
	EACH(i, 5) p[i] = MYTHREAD + i;
	got[MYTHREAD] = p;
	upc_barrier;
	EACH(t, THREADS) EACH(i, 5) IS(got[t][i] == (int)(t + i));
	upc_barrier;
	upc_free(p);
}

// 5.2 upc_alloc'd objects are used through pointers-to-local.
FACT(alloc_and_cast)
{
	double *p = (double *)(shared [] double *)upc_alloc(4 * sizeof(double));
	EACH(i, 4) p[i] = i / 2.0;
	EACH(i, 4) IS(p[i] == i / 2.0);
}

// 5.2 upc_free of a null pointer does nothing.
FACT(free_null)
{
	upc_free(0);
	upc_free((shared int *)0);
	upc_all_free(0);
	IS(1);
}

// 5.2 upc_free by another thread than the one that allocated.
FACT(free_by_another)
{
	static shared [] char *shared got[THREADS];
	got[MYTHREAD] = (shared [] char *)upc_alloc(100);
	upc_barrier;
	upc_free(got[(MYTHREAD + 1) % THREADS]);
	IS(1);
}

// 5.2 Freed memory is given again.
FACT(alloc_and_free_many)
{
	for (int i = 0; i < 200; i++) {
		shared void *p = upc_alloc(1 << 20);
		IS(p != 0);
		upc_free(p);
	}
}

// 5.2 Objects of different sizes do not overlap.
FACT(allocations_do_not_overlap)
{
	shared [] char *p[20];
	for (int i = 0; i < 20; i++) {
		p[i] = (shared [] char *)upc_alloc(1 + 7 * i);
		upc_memset(p[i], i, 1 + 7 * i);
	}
	for (int i = 0; i < 20; i++)
		for (int j = 0; j < 1 + 7 * i; j++)
			IS(p[i][j] == i);
	for (int i = 0; i < 20; i++)
		upc_free(p[i]);
}

// 5.2 Allocated objects are aligned for every type.
FACT(allocations_are_aligned)
{
	for (int n = 1; n < 40; n += 3) {
		shared [] char *p = (shared [] char *)upc_alloc(n);
		IS((unsigned long)(char *)p % _Alignof(long double) == 0);
		upc_free(p);
	}
}

// 5.2 upc_all_free frees what upc_all_alloc gave.
FACT(all_free)
{
	for (int i = 0; i < 20; i++) {
		shared char *p = (shared char *)upc_all_alloc(THREADS, 100000);
		p[MYTHREAD] = 1;
		upc_barrier;
		upc_all_free(p);
	}
	IS(1);
}

// 5.2 upc_global_alloc of more blocks than threads goes round.
FACT(global_alloc_rounds)
{
	shared [2] short *p = (shared [2] short *)upc_global_alloc(3 * THREADS + 1, 2 * sizeof(short));
	for (int i = 0; i < 6 * THREADS + 2; i++) {
		IS(upc_threadof(p + i) == OWNER(i, 2));
		p[i] = i;
	}
	for (int i = 0; i < 6 * THREADS + 2; i++)
		IS(p[i] == i);
	upc_free(p);
}

// 5.2 A list whose nodes are on all threads.
struct item { int value; shared struct item *next; };
FACT(linked_list)
{
	static shared struct item *shared head;
	if (MYTHREAD == 0)
		head = 0;
	upc_barrier;
	upc_lock_t *l = upc_all_lock_alloc();
	shared struct item *mine = (shared struct item *)upc_alloc(sizeof(struct item));
	mine->value = MYTHREAD;
	upc_lock(l);
	mine->next = head;
	head = mine;
	upc_unlock(l);
	upc_barrier;
	int n = 0, sum = 0;
	for (shared struct item *p = head; p; p = p->next) {
		n++;
		sum += p->value;
	}
	IS(n == THREADS && sum == THREADS * (THREADS - 1) / 2);
	upc_barrier;
	upc_free(mine);
	upc_all_lock_free(l);
}

// 5.2 upc_threadof of null is 0.
FACT(threadof_null)
{
	IS(upc_threadof(0) == 0 && upc_phaseof(0) == 0);
	IS(upc_threadof((shared int *)0) == 0);
}

// 5.2 upc_threadof and upc_phaseof of generic pointers.
FACT(threadof_generic)
{
	static shared [3] int a[3 * THREADS];
	shared void *g = &a[3 * THREADS - 1];
	IS(upc_threadof(g) == THREADS - 1 && upc_phaseof(g) == 2);
}

// 5.2 upc_addrfield differs by the bytes between two objects of a thread.
FACT(addrfield)
{
	static shared [4] int a[4 * THREADS];
	EACH(i, 3) IS(upc_addrfield(&a[i + 1]) - upc_addrfield(&a[i]) == sizeof(int));
}

// 5.2 upc_resetphase gives the same place with phase 0.
FACT(resetphase)
{
	static shared [4] int a[4 * THREADS];
	shared void *g = upc_resetphase(&a[3]);
	IS(upc_phaseof(g) == 0 && upc_threadof(g) == 0 && upc_addrfield(g) == upc_addrfield(&a[3]));
	IS(upc_resetphase(0) == 0);
}

// 5.2 upc_affinitysize says how many bytes a thread has.
FACT(affinitysize)
{
	size_t total = 0;
	EACH(t, THREADS) total += upc_affinitysize(1000, 16, t);
	IS(total == 1000);
	IS(upc_affinitysize(3 * THREADS * 8, 8, MYTHREAD) == 24);
	IS(upc_affinitysize(100, 0, 0) == 100);
	IS(THREADS == 1 || upc_affinitysize(100, 0, 1) == 0);
}

// 5.2 upc_affinitysize counts a last block that is not full.
FACT(affinitysize_rest)
{
	size_t block = 3 * sizeof(int), n = (6 * THREADS + 2) * sizeof(int);
	IS(upc_affinitysize(n, block, 0) == (THREADS == 1 ? n : 3 * 2 * sizeof(int) + 2 * sizeof(int)));
}

// 5.2 upc_all_lock_alloc gives one unlocked lock.
FACT(all_lock_alloc)
{
	static upc_lock_t *shared got[THREADS];
	upc_lock_t *l = upc_all_lock_alloc();
	got[MYTHREAD] = l;
	upc_barrier;
	EACH(t, THREADS) IS(got[t] == l);
	if (MYTHREAD == 0) {
		IS(upc_lock_attempt(l) == 1);
		upc_unlock(l);
	}
	upc_barrier;
	upc_all_lock_free(l);
}

// 5.2 upc_global_lock_alloc gives each caller a lock.
FACT(global_lock_alloc)
{
	upc_lock_t *l = upc_global_lock_alloc();
	upc_lock(l);
	upc_unlock(l);
	IS(upc_lock_attempt(l) == 1);
	upc_unlock(l);
	upc_lock_free(l);
}

// 5.2 upc_lock_attempt of a lock that another thread has gives 0.
FACT(lock_attempt)
{
	upc_lock_t *l = upc_all_lock_alloc();
	if (MYTHREAD == 0)
		upc_lock(l);
	upc_barrier;
	if (MYTHREAD != 0)
		IS(upc_lock_attempt(l) == 0);
	upc_barrier;
	if (MYTHREAD == 0)
		upc_unlock(l);
	upc_barrier;
	upc_all_lock_free(l);
}

// 5.2 A lock is free again after unlock.
FACT(lock_again)
{
	upc_lock_t *l = upc_all_lock_alloc();
	for (int i = 0; i < 20; i++) {
		upc_lock(l);
		upc_unlock(l);
	}
	upc_barrier;
	IS(1);
	upc_all_lock_free(l);
}

// 5.2 Two locks are independent.
FACT(two_locks)
{
	upc_lock_t *a = upc_all_lock_alloc(), *b = upc_all_lock_alloc();
	IS(a != b);
	static shared [] int n[2];
	if (MYTHREAD == 0)
		n[0] = n[1] = 0;
	upc_barrier;
	for (int i = 0; i < 10; i++) {
		upc_lock(a);
		n[0]++;
		upc_lock(b);
		n[1]++;
		upc_unlock(b);
		upc_unlock(a);
	}
	upc_barrier;
	IS(n[0] == 10 * THREADS && n[1] == 10 * THREADS);
	upc_all_lock_free(a);
	upc_all_lock_free(b);
}

// 5.2 upc_lock_free of a null pointer does nothing.
FACT(lock_free_null)
{
	upc_lock_free(0);
	upc_all_lock_free(0);
	IS(1);
}

// 5.2 upc_memput copies private to shared memory.
FACT(memput)
{
	static shared [8] char a[8 * THREADS];
	char text[8] = "abcdefg";
	text[0] = 'A' + MYTHREAD;
	upc_memput(&a[8 * ((MYTHREAD + 1) % THREADS)], text, 8);
	upc_barrier;
	char *mine = (char *)&a[8 * MYTHREAD];
	IS(mine[0] == 'A' + (MYTHREAD + THREADS - 1) % THREADS && strcmp(mine + 1, "bcdefg") == 0);
}

// 5.2 upc_memget copies shared to private memory.
FACT(memget)
{
	static shared [4] int a[4 * THREADS];
	EACH(i, 4) a[4 * MYTHREAD + i] = 10 * MYTHREAD + i;
	upc_barrier;
	EACH(t, THREADS) {
		int b[4];
		upc_memget(b, &a[4 * t], sizeof b);
		EACH(i, 4) IS(b[i] == (int)(10 * t + i));
	}
}

// 5.2 upc_memcpy copies from thread to thread.
FACT(memcpy_shared)
{
	static shared [4] int a[4 * THREADS], b[4 * THREADS];
	EACH(i, 4) a[4 * MYTHREAD + i] = MYTHREAD + i;
	upc_barrier;
	int from = (MYTHREAD + 2) % THREADS, to = (MYTHREAD + 1) % THREADS;
	upc_memcpy(&b[4 * to], &a[4 * from], 4 * sizeof(int));
	upc_barrier;
	EACH(i, 4) IS(b[4 * to + i] == from + (int)i);
}

// 5.2 upc_memset fills shared memory.
FACT(memset_shared)
{
	static shared [16] unsigned char a[16 * THREADS];
	upc_memset(&a[16 * ((MYTHREAD + 1) % THREADS)], 0xab, 16);
	upc_barrier;
	EACH(i, 16) IS(a[16 * MYTHREAD + i] == 0xab);
	upc_barrier;
	upc_memset(&a[16 * MYTHREAD], 256 + 3, 8);
	IS(a[16 * MYTHREAD + 7] == 3 && a[16 * MYTHREAD + 8] == 0xab);
}

// 5.2 Transfers of no bytes do nothing.
FACT(transfers_of_nothing)
{
	static shared int a[THREADS];
	int x = 5;
	a[MYTHREAD] = 6;
	upc_memget(&x, &a[MYTHREAD], 0);
	upc_memput(&a[MYTHREAD], &x, 0);
	upc_memcpy(&a[MYTHREAD], &a[0], 0);
	upc_memset(&a[MYTHREAD], 1, 0);
	IS(x == 5 && a[MYTHREAD] == 6);
}

// 5.2 Large transfers.
FACT(large_transfers)
{
	enum { N = 100000 };
	shared [] int *p = (shared [] int *)upc_alloc(N * sizeof(int));
	static shared [] int *shared all[THREADS];
	int *private = malloc(N * sizeof(int));
	EACH(i, N) private[i] = MYTHREAD + (int)i;
	all[MYTHREAD] = p;
	upc_barrier;
	upc_memput(all[(MYTHREAD + 1) % THREADS], private, N * sizeof(int));
	upc_barrier;
	upc_memget(private, p, N * sizeof(int));
	int before = (MYTHREAD + THREADS - 1) % THREADS;
	int wrong = 0;
	EACH(i, N) wrong += private[i] != before + (int)i;
	IS(wrong == 0);
	upc_barrier;
	free(private);
	upc_free(p);
}

// 5.2 Transfers of structs with pointers-to-shared.
struct holder { shared int *p; int n; };
FACT(transfers_of_pointers)
{
	static shared int x;
	static shared struct holder a[THREADS];
	struct holder h = { &x, 4 }, back;
	upc_memput(&a[MYTHREAD], &h, sizeof h);
	upc_memget(&back, &a[MYTHREAD], sizeof back);
	IS(back.p == &x && back.n == 4);
}

// 5.2 upc_local_alloc of UPC 1.2 is upc_alloc of the product.
FACT(local_alloc)
{
	shared [] int *p = (shared [] int *)upc_local_alloc(3, sizeof(int));
	IS(upc_threadof(p) == MYTHREAD);
	EACH(i, 3) p[i] = i;
	IS(p[2] == 2);
	upc_free(p);
}
