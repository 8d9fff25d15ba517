/* Ticks, castability, non-blocking transfers, atomic operations, sorting. */
#include "check.h"
#include "upc_atomic.h"
#include "upc_castable.h"
#include "upc_types.h"

upcr_ptr upc_all_alloc(size_t, size_t);
void upc_all_free(upcr_ptr);
unsigned long upc_ticks_now(void), upc_ticks_to_ns(unsigned long);
void *upc_cast(upcr_ptr);
upc_thread_info_t upc_thread_info(size_t);
typedef struct transfer *handle;
handle upc_memcpy_nb(upcr_ptr, upcr_ptr, size_t), upc_memget_nb(void *, upcr_ptr, size_t), upc_memput_nb(upcr_ptr, const void *, size_t);
handle upc_memset_nb(upcr_ptr, int, size_t);
int upc_sync_attempt(handle), upc_synci_attempt(void);
void upc_sync(handle), upc_synci(void);
void upc_memcpy_nbi(upcr_ptr, upcr_ptr, size_t), upc_memget_nbi(void *, upcr_ptr, size_t), upc_memput_nbi(upcr_ptr, const void *, size_t);
void upc_memset_nbi(upcr_ptr, int, size_t);
upcr_ptr upc_all_atomicdomain_alloc(upc_type_t, upc_op_t, upc_atomichint_t);
void upc_all_atomicdomain_free(upcr_ptr);
void upc_atomic_strict(upcr_ptr, void *, upc_op_t, upcr_ptr, const void *, const void *);
void upc_atomic_relaxed(upcr_ptr, void *, upc_op_t, upcr_ptr, const void *, const void *);
int upc_atomic_isfast(upc_type_t, upc_op_t, upcr_ptr);
void upc_all_sort(upcr_ptr, size_t, size_t, size_t, int (*)(upcr_ptr, upcr_ptr), int);

static void ticks(void)
{
	unsigned long a = upc_ticks_now(), b = upc_ticks_now();
	usleep(2000);
	CHECK(b >= a && upc_ticks_to_ns(upc_ticks_now() - a) >= 2000000);
}

static void casts(upcr_ptr all)
{
	for (int t = 0; t < upcr_threads; t++) {
		int *p = upc_cast(upcr_index(all, t, 1, 4096));
		upc_thread_info_t info = upc_thread_info((size_t)t);
		CHECK((p != NULL) == upcr_near[t] && info.guaranteedCastable == (upcr_near[t] ? UPC_CASTABLE_ALL : 0));
		CHECK(info.probablyCastable == info.guaranteedCastable);
		if (p)
			*p = 17;
		upcr_barrier(0, 0);
		CHECK(!upcr_near[t] || UPCR_READ(int, upcr_index(all, t, 1, 4096)) == 17);
		upcr_barrier(0, 0);
	}
	CHECK(upc_cast(upcr_index(all, upcr_thread, 1, 4096)) == upcr_own(all) && upc_cast(0) == NULL);
}

static void transfers(upcr_ptr all)
{
	upcr_ptr next = upcr_index(all, (upcr_thread + 1) % upcr_threads, 1, 4096);
	int out[500], in[500];
	for (int i = 0; i < 500; i++)
		out[i] = i * upcr_thread;
	handle h = upc_memput_nb(next, out, sizeof out);
	while (!upc_sync_attempt(h))
		;
	upcr_barrier(0, 0);
	upc_sync(upc_memget_nb(in, next, sizeof in));
	CHECK(!memcmp(in, out, sizeof in));
	memset(in, 0, sizeof in);
	upc_sync(upc_memcpy_nb(next + 2000, next, 2000));
	upc_memget_nbi(in, next + 2000, 1000);
	upc_memget_nbi(in + 250, next + 3000, 1000);
	while (!upc_synci_attempt())
		;
	CHECK(!memcmp(in, out, sizeof in));
	upc_memset_nbi(next, 3, 5);
	upc_memput_nbi(next + 5, out, 100);
	upc_memcpy_nbi(next + 1000, next + 2000, 8);
	upc_synci();
	upc_sync(upc_memset_nb(next + 105, 4, 5));
	upc_sync(NULL);
	CHECK(upc_sync_attempt(NULL) && upc_synci_attempt());
	upcr_barrier(0, 0);
	char *mine = upcr_own(all);
	CHECK(mine[0] == 3 && mine[4] == 3 && mine[105] == 4 && mine[109] == 4);
	upcr_barrier(0, 0);
}

#define ATOMIC(TYPE, T, START, OPS)                                                                           \
	do {                                                                                                      \
		upcr_ptr domain = upc_all_atomicdomain_alloc(TYPE, OPS, 0), at = all + 64;                            \
		T start = (START), one = 1, two = 2, got = 0, three = 3;                                              \
		if (upcr_thread == 0)                                                                                 \
			UPCR_WRITE(T, at, 0);                                                                             \
		upcr_barrier(0, 0);                                                                                   \
		const int times = upcr_one_node ? 200 : 10;                                                           \
		for (int i = 0; i < times; i++) {                                                                     \
			upc_atomic_relaxed(domain, NULL, UPC_ADD, at, &two, NULL);                                        \
			upc_atomic_strict(domain, &got, UPC_INC, at, NULL, NULL);                                         \
			upc_atomic_relaxed(domain, NULL, UPC_SUB, at, &one, NULL);                                        \
			upc_atomic_relaxed(domain, NULL, UPC_DEC, at, NULL, NULL);                                        \
		}                                                                                                     \
		upcr_barrier(0, 0);                                                                                   \
		upc_atomic_relaxed(domain, &got, UPC_GET, at, NULL, NULL);                                            \
		CHECK(got == (T)(times * upcr_threads));                                                              \
		upcr_barrier(0, 0);                                                                                   \
		if (upcr_thread == upcr_threads - 1) {                                                                \
			upc_atomic_relaxed(domain, &got, UPC_SET, at, &start, NULL);                                      \
			CHECK(got == (T)(times * upcr_threads));                                                          \
			upc_atomic_relaxed(domain, &got, UPC_CSWAP, at, &one, &two);                                      \
			CHECK(got == start);                                                                              \
			upc_atomic_relaxed(domain, &got, UPC_CSWAP, at, &start, &two);                                    \
			CHECK(got == start);                                                                              \
			upc_atomic_relaxed(domain, &got, UPC_MULT, at, &three, NULL);                                     \
			CHECK(got == two);                                                                                \
			upc_atomic_relaxed(domain, &got, UPC_MIN, at, &start, NULL);                                      \
			CHECK(got == two * three);                                                                        \
			upc_atomic_relaxed(domain, &got, UPC_MAX, at, &one, NULL);                                        \
			CHECK(got == (start < two * three ? start : two * three));                                        \
			upc_atomic_strict(domain, &got, UPC_GET, at, NULL, NULL);                                         \
			CHECK(got == (start < two * three ? (start > 1 ? start : 1) : two * three));                      \
		}                                                                                                     \
		CHECK(upc_atomic_isfast(TYPE, OPS, at) == upcr_here(at));                                             \
		upc_all_atomicdomain_free(domain);                                                                    \
	} while (0)

#define BITWISE(TYPE, T)                                                                                      \
	do {                                                                                                      \
		upcr_ptr domain = upc_all_atomicdomain_alloc(TYPE, UPC_AND | UPC_OR | UPC_XOR | UPC_GET, 0), at = all + 128; \
		T bit = (T)1 << upcr_thread, not_bit = (T)~bit, got = 0;                                              \
		if (upcr_thread == 0)                                                                                 \
			UPCR_WRITE(T, at, 0);                                                                             \
		upcr_barrier(0, 0);                                                                                   \
		upc_atomic_relaxed(domain, NULL, UPC_OR, at, &bit, NULL);                                             \
		upcr_barrier(0, 0);                                                                                   \
		upc_atomic_relaxed(domain, &got, UPC_GET, at, NULL, NULL);                                            \
		CHECK(got == ((T)1 << upcr_threads) - 1);                                                             \
		upcr_barrier(0, 0);                                                                                   \
		upc_atomic_relaxed(domain, &got, UPC_XOR, at, &bit, NULL);                                            \
		CHECK(got & bit);                                                                                     \
		upc_atomic_relaxed(domain, NULL, UPC_XOR, at, &bit, NULL);                                            \
		upc_atomic_relaxed(domain, NULL, UPC_AND, at, &not_bit, NULL);                                        \
		upcr_barrier(0, 0);                                                                                   \
		upc_atomic_relaxed(domain, &got, UPC_GET, at, NULL, NULL);                                            \
		CHECK(got == 0);                                                                                      \
		upc_all_atomicdomain_free(domain);                                                                    \
	} while (0)

static void atomics(upcr_ptr all)
{
	const int numbers = UPC_GET | UPC_SET | UPC_CSWAP | UPC_ADD | UPC_SUB | UPC_MULT | UPC_INC | UPC_DEC | UPC_MAX | UPC_MIN;
	ATOMIC(UPC_INT, int, -5, numbers);
	ATOMIC(UPC_UINT64, unsigned long, 1UL << 63, numbers);
	ATOMIC(UPC_FLOAT, float, -0.5f, numbers);
	ATOMIC(UPC_DOUBLE, double, 0.5, numbers);
	BITWISE(UPC_INT32, int);
	BITWISE(UPC_ULONG, unsigned long);
	if (!upcr_one_node)
		return;
	ATOMIC(UPC_UINT, unsigned, 1u << 31, numbers);
	ATOMIC(UPC_INT32, int, 4, numbers);
	ATOMIC(UPC_UINT32, unsigned, 4, numbers);
	ATOMIC(UPC_LONG, long, -7, numbers);
	ATOMIC(UPC_ULONG, unsigned long, 9, numbers);
	ATOMIC(UPC_INT64, long, 5, numbers);
	BITWISE(UPC_UINT, unsigned);
	BITWISE(UPC_INT64, long);
}

static void pointers(upcr_ptr all)
{
	upcr_ptr domain = upc_all_atomicdomain_alloc(UPC_PTS, UPC_GET | UPC_SET | UPC_CSWAP, 0), at = all + 192, got, null = 0;
	upcr_ptr a = upcr_make(0, 1, 4096), same = upcr_make(0, 2, 4096), b = upcr_make(0, 0, 8192);
	if (upcr_thread == 0) {
		upc_atomic_relaxed(domain, NULL, UPC_SET, at, &null, NULL);
		upc_atomic_relaxed(domain, &got, UPC_CSWAP, at, &null, &a);
		CHECK(got == 0);
		upc_atomic_relaxed(domain, &got, UPC_CSWAP, at, &same, &b); /* equality does not look at the phase */
		CHECK(got == a);
		upc_atomic_relaxed(domain, &got, UPC_GET, at, NULL, NULL);
		CHECK(got == b);
	}
	upc_all_atomicdomain_free(domain);
}

static int compare(upcr_ptr a, upcr_ptr b)
{
	int x = UPCR_READ(int, a), y = UPCR_READ(int, b);
	return (x > y) - (x < y);
}

static void sorting(void)
{
	const int n = 10 * upcr_threads + 3;
	upcr_ptr a = upc_all_alloc((size_t)upcr_threads, 200);
	for (int i = 0; i < n; i++)
		if (upcr_is_mine(upcr_index(a, i, 4, 4)))
			UPCR_WRITE(int, upcr_index(a, i, 4, 4), i * 7919 % 101);
	upc_all_sort(a, 4, (size_t)n, 4, compare, 0);
	for (int i = 1; i < n; i++)
		CHECK(UPCR_READ(int, upcr_index(a, i - 1, 4, 4)) <= UPCR_READ(int, upcr_index(a, i, 4, 4)));
	upc_all_free(a);
}

int upcr_main(int argc, char **argv, char **envp)
{
	UNUSED_MAIN;
	upcr_ptr all = upc_all_alloc((size_t)upcr_threads, 4096);
	ticks();
	casts(all);
	transfers(all);
	atomics(all);
	pointers(all);
	sorting();
	upc_all_free(all);
	if (upcr_thread == 0)
		printf("fine %d\n", upcr_threads);
	return 0;
}
