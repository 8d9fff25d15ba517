/* Static shared objects, accesses of all kinds, arithmetic against the definition, barriers, locks, allocation. */
#include "check.h"

upcr_ptr upc_all_alloc(size_t, size_t), upc_global_alloc(size_t, size_t), upc_alloc(size_t), upc_all_lock_alloc(void);
void upc_free(upcr_ptr), upc_all_free(upcr_ptr), upc_lock(upcr_ptr), upc_unlock(upcr_ptr), upc_all_lock_free(upcr_ptr);
int upc_lock_attempt(upcr_ptr);
upcr_ptr upc_global_lock_alloc(void);
void upc_lock_free(upcr_ptr);
void upc_memget(void *, upcr_ptr, size_t), upc_memput(upcr_ptr, const void *, size_t), upc_memset(upcr_ptr, int, size_t);
void upc_memcpy(upcr_ptr, upcr_ptr, size_t);

enum { PER = 20, B = 3 };
UPCR_OBJECT(cyclic, 80, 4);   /* shared int cyclic[PER * THREADS] */
UPCR_OBJECT(blocked, 84, 4);  /* shared [B] int blocked[PER * THREADS] */
UPCR_TENTATIVE(scalar, 8, 8); /* shared long scalar */
UPCR_INTERNAL(counter, 4, 4);
struct pair { int a : 5, b : 11; double d; };
UPCR_OBJECT(pairs, 16, 8); /* shared struct pair pairs[THREADS] */
UPCR_OBJECT(start, 8, 8);

static void at_start(void)
{
	if (upcr_thread == 0)
		UPCR_WRITE(long, UPCR_ADDRESS(start), 4711);
}
UPCR_AT_START(at_start);

/* The rules of UPC 1.3, 6.4.2, literally, one step at a time. */
static upcr_ptr step(upcr_ptr p, int b, int es)
{
	long thread = (long)upcr_threadof(p), phase = (long)upcr_phaseof(p), offset = (long)upcr_offset(p);
	if (b == 0)
		return upcr_make((unsigned long)thread, 0, (unsigned long)(offset + es));
	if (phase < b - 1)
		return upcr_make((unsigned long)thread, (unsigned long)phase + 1, (unsigned long)(offset + es));
	offset -= (long)es * (b - 1);
	if (++thread == upcr_threads) {
		thread = 0;
		offset += (long)es * b;
	}
	return upcr_make((unsigned long)thread, 0, (unsigned long)offset);
}

#define ARITHMETIC(b, es)                                                     \
	do {                                                                      \
		upcr_ptr all[200], p = upcr_make(0, 0, 1 << 20);                      \
		for (int i = 0; i < 200; i++, p = step(p, b, es))                     \
			all[i] = p;                                                       \
		for (int i = 0; i < 200; i++) {                                       \
			CHECK(upcr_index(all[0], i, b, es) == all[i]);                    \
			CHECK(i == 199 || upcr_next(all[i], b, es) == all[i + 1]);        \
			CHECK(i == 0 || upcr_prev(all[i], b, es) == all[i - 1]);          \
			for (int k = 0; k < 200; k++) {                                   \
				CHECK(upcr_add(all[i], k - i, b, es) == all[k]);              \
				CHECK(upcr_sub(all[k], all[i], b, es) == k - i);              \
			}                                                                 \
		}                                                                     \
	} while (0)

static void arithmetic(void)
{
	ARITHMETIC(0, 4);
	ARITHMETIC(1, 1);
	ARITHMETIC(1, 24);
	ARITHMETIC(2, 4);
	ARITHMETIC(3, 8);
	ARITHMETIC(5, 7);
	ARITHMETIC(16, 8);
	ARITHMETIC(64, 4);
	upcr_ptr far = upcr_add(upcr_make(0, 0, 1 << 20), 1L << 31, 1, 4);
	CHECK(upcr_sub(far, upcr_make(0, 0, 1 << 20), 1, 4) == 1L << 31);
	CHECK(UPCR_EQUAL(upcr_make(1, 2, 64), upcr_make(1, 3, 64)) && !UPCR_EQUAL(upcr_make(1, 2, 64), upcr_make(0, 2, 64)));
	CHECK(UPCR_CAST_LOCAL(UPCR_NULL) == NULL);
}

static void objects(void)
{
	CHECK(UPCR_READ(long, UPCR_ADDRESS(start)) == 4711);
	CHECK(UPCR_READ(int, UPCR_INDEX(UPCR_ADDRESS(cyclic), 7, 1, 4)) == 0);
	upcr_barrier(0, 0);
	for (int i = 0; i < PER * upcr_threads; i++) {
		upcr_ptr p = UPCR_INDEX(UPCR_ADDRESS(blocked), i, B, 4);
		CHECK(upcr_threadof(p) == (unsigned long)(i / B % upcr_threads));
		if (upcr_is_mine_int(i))
			UPCR_WRITE(int, p, 100 * i);
		if (upcr_is_mine(UPCR_INDEX(UPCR_ADDRESS(cyclic), i, 1, 4)))
			UPCR_HERE(int, UPCR_INDEX(UPCR_ADDRESS(cyclic), i, 1, 4)) = i;
	}
	upcr_barrier(1, 5);
	upcr_ptr p = UPCR_ADDRESS(blocked), q = UPCR_ADDRESS(cyclic);
	for (int i = 0; i < PER * upcr_threads; i++, p = upcr_next(p, B, 4), q = upcr_next(q, 1, 4))
		CHECK(UPCR_READ(int, p) == 100 * i && UPCR_READ_STRICT(int, q) == i);
	upcr_notify(1, 3);
	upcr_wait(1, 3);
}

static void bits(void)
{
	upcr_ptr next = UPCR_INDEX(UPCR_ADDRESS(pairs), (upcr_thread + 1) % upcr_threads, 1, 16);
	UPCR_WRITE(double, next + 8, 2.5 * upcr_thread);
	CHECK(UPCR_BITS_WRITE(struct pair, next, 0, 2, b, upcr_thread + 1000) == upcr_thread + 1000);
	CHECK(UPCR_BITS_WRITE(struct pair, next, 0, 1, a, 17) == -15);
	upcr_barrier(0, 0);
	upcr_ptr own = UPCR_INDEX(UPCR_ADDRESS(pairs), upcr_thread, 1, 16);
	int before = (upcr_thread + upcr_threads - 1) % upcr_threads;
	struct pair have = UPCR_READ(struct pair, own);
	CHECK(have.a == -15 && have.b == before + 1000 - (before + 1000 > 1023 ? 2048 : 0) && have.d == 2.5 * before);
	CHECK(UPCR_BITS_READ(struct pair, next, 0, 2, b) == (upcr_thread + 1000 > 1023 ? upcr_thread - 1048 : upcr_thread + 1000));
	upcr_barrier(0, 0);
}

static void locks(void)
{
	upcr_ptr lock = upc_all_lock_alloc(), other = upc_all_lock_alloc();
	const int plain = upcr_one_node ? 300 : 20, attempts = upcr_one_node ? 100 : 10;
	for (int i = 0; i < plain; i++) {
		upc_lock(lock);
		UPCR_WRITE(int, UPCR_ADDRESS(counter), UPCR_READ(int, UPCR_ADDRESS(counter)) + 1);
		upc_unlock(lock);
	}
	for (int i = 0; i < attempts;) {
		if (!upc_lock_attempt(other))
			continue;
		upc_lock(lock);
		UPCR_WRITE(int, UPCR_ADDRESS(counter), UPCR_READ(int, UPCR_ADDRESS(counter)) + 1);
		upc_unlock(other);
		upc_unlock(lock);
		i++;
	}
	upcr_barrier(0, 0);
	CHECK(UPCR_READ(int, UPCR_ADDRESS(counter)) == (plain + attempts) * upcr_threads);
	upc_all_lock_free(lock);
	upc_all_lock_free(other);
}

/* A lock may be freed while it is held, by its holder or by another thread. Nobody holds the next one, which has its address. */
static void freed_locks(void)
{
	for (int by = 0; by < upcr_threads; by++) {
		int holder = by / 2;
		upcr_ptr lock = upc_all_lock_alloc();
		if (upcr_thread == holder)
			upc_lock(lock);
		upcr_barrier(0, 0);
		if (upcr_thread == by)
			upc_lock_free(lock);
		upcr_barrier(0, 0);
		upcr_ptr next = upc_all_lock_alloc();
		CHECK(UPCR_EQUAL(lock, next));
		upc_lock(next);
		upc_unlock(next);
		upcr_barrier(0, 0);
		CHECK(upcr_thread != holder || upc_lock_attempt(next));
		upc_all_lock_free(next);
	}
}

/* More locks than there are places for at first are freed while they are held, and the one that stays is held as before. */
static void many_freed_locks(void)
{
	enum { MANY = 100 };
	upcr_ptr kept = upc_global_lock_alloc(), lock[MANY];
	upc_lock(kept);
	for (int round = 0; round < (upcr_one_node ? 5 : 2); round++) {
		for (int i = 0; i < MANY; i++) {
			lock[i] = upc_global_lock_alloc();
			upc_lock(lock[i]);
		}
		for (int i = 0; i < MANY; i++)
			upc_lock_free(lock[i]);
	}
	CHECK(!upc_lock_attempt(kept));
	upc_unlock(kept);
	CHECK(upc_lock_attempt(kept));
	upc_lock_free(kept);
	upcr_barrier(0, 0);
}

static void allocation(void)
{
	upcr_ptr all = upc_all_alloc((size_t)upcr_threads, 40), mine[50];
	CHECK(upcr_threadof(all) == 0 && upcr_phaseof(all) == 0 && upcr_offset(all) % 64 == 0);
	UPCR_WRITE(long, upcr_index(all, upcr_thread, 1, 40), upcr_thread);
	for (int round = 0; round < (upcr_one_node ? 4 : 1); round++) {
		for (int i = 0; i < 50; i++) {
			mine[i] = (i & 1) ? upc_alloc((size_t)(i * 100 + 1)) : upc_global_alloc((size_t)upcr_threads + 1, (size_t)(i * 7 + 1));
			CHECK(upcr_threadof(mine[i]) == ((i & 1) ? (unsigned long)upcr_thread : 0));
			upc_memset(mine[i], i, (size_t)(i * 7 + 1));
			if (!(i & 1))
				upc_memset(mine[i] + ((unsigned long)upcr_thread << UPCR_OFFSET_BITS), i, (size_t)(i * 7 + 1));
		}
		for (int i = 0; i < 50; i++) {
			char text[400], same[400];
			upc_memget(text, mine[i], (size_t)(i * 7 + 1));
			memset(same, i, (size_t)(i * 7 + 1));
			CHECK(memcmp(text, same, (size_t)(i * 7 + 1)) == 0);
		}
		for (int i = 0; i < 50; i++)
			upc_free(mine[i * 13 % 50]);
	}
	/* Somebody else frees what a thread allocated. */
	upcr_ptr p = upc_alloc(1000);
	UPCR_WRITE(upcr_ptr, upcr_index(all, upcr_thread, 1, 40) + 8, p);
	upcr_barrier(0, 0);
	upc_free(UPCR_READ(upcr_ptr, upcr_index(all, (upcr_thread + 1) % upcr_threads, 1, 40) + 8));
	for (int i = 0; i < upcr_threads; i++)
		CHECK(UPCR_READ(long, upcr_index(all, i, 1, 40)) == i);
	upc_all_free(all);
	/* What was freed can be had again in one piece. */
	for (int i = 0; i < 8; i++)
		upc_free(upc_alloc(150UL << 20));
	upcr_barrier(0, 0);
	upcr_ptr big = upc_all_alloc((size_t)upcr_threads, 200UL << 20);
	UPCR_WRITE_STRICT(int, upcr_index(big, upcr_thread, 1, 200 << 20), 1);
	upc_all_free(big);
}

static void transfers(void)
{
	upcr_ptr all = upc_all_alloc((size_t)upcr_threads, 100000), next = upcr_index(all, (upcr_thread + 1) % upcr_threads, 1, 100000);
	static char from[50000], to[50000];
	for (int i = 0; i < 50000; i++)
		from[i] = (char)(i * 7 + upcr_thread);
	upc_memput(next, from, sizeof from);
	upcr_barrier(0, 0);
	upc_memcpy(next + 50000, upcr_index(all, upcr_thread, 1, 100000), 50000);
	upcr_barrier(0, 0);
	upc_memget(to, upcr_index(all, (upcr_thread + 2) % upcr_threads, 1, 100000) + 50000, sizeof to);
	CHECK(memcmp(from, to, sizeof to) == 0);
	upc_all_free(all);
}

int upcr_main(int argc, char **argv, char **envp)
{
	UNUSED_MAIN;
	arithmetic();
	objects();
	bits();
	locks();
	freed_locks();
	many_freed_locks();
	allocation();
	transfers();
	upcr_barrier(0, 0);
	if (upcr_thread == 0)
		printf("fine %d\n", upcr_threads);
	return 0;
}
