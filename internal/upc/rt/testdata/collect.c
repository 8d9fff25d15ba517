/* Collective functions against plain loops, for all types, operators, layouts and flags. */
#include "check.h"
#include "upc_collective.h"

upcr_ptr upc_all_alloc(size_t, size_t);
void upc_all_free(upcr_ptr), upc_memput(upcr_ptr, const void *, size_t), upc_memget(void *, upcr_ptr, size_t);
void upc_all_broadcast(upcr_ptr, upcr_ptr, size_t, upc_flag_t), upc_all_scatter(upcr_ptr, upcr_ptr, size_t, upc_flag_t);
void upc_all_gather(upcr_ptr, upcr_ptr, size_t, upc_flag_t), upc_all_gather_all(upcr_ptr, upcr_ptr, size_t, upc_flag_t);
void upc_all_exchange(upcr_ptr, upcr_ptr, size_t, upc_flag_t);
void upc_all_permute(upcr_ptr, upcr_ptr, upcr_ptr, size_t, upc_flag_t);

static const upc_flag_t all_flags[] = {0, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC, UPC_IN_MYSYNC | UPC_OUT_MYSYNC, UPC_IN_NOSYNC | UPC_OUT_NOSYNC,
                                       UPC_IN_NOSYNC, UPC_OUT_MYSYNC};
enum { FLAGS = 6, N = 24 };

static upcr_ptr at(upcr_ptr base, int thread, int block)
{
	return upcr_make((unsigned long)thread, 0, upcr_offset(base) + (unsigned long)(block * N));
}

/* A block that tells where it comes from. */
static void fill(char *b, int thread, int block, int round)
{
	for (int i = 0; i < N; i++)
		b[i] = (char)(thread * 31 + block * 7 + i + round);
}

static int is(char *b, int thread, int block, int round)
{
	char want[N];
	fill(want, thread, block, round);
	return memcmp(b, want, N) == 0;
}

static void relocation(int round, upc_flag_t flags)
{
	const int T = upcr_threads, me = upcr_thread, root = round % T;
	const size_t whole = (size_t)N * (unsigned)T;
	upcr_ptr src = upc_all_alloc((size_t)T, whole), dst = upc_all_alloc((size_t)T, whole);
	upcr_ptr perm = upc_all_alloc((size_t)T, sizeof(int));
	char *mine = upcr_own(src), *got = upcr_own(dst);
	/* With flags that do not synchronise, barriers stand around. */
#define AROUND(call)         \
	upcr_barrier(0, 0);      \
	memset(got, 0, whole);   \
	upcr_barrier(0, 0);      \
	call;                    \
	upcr_barrier(0, 0)
	for (int b = 0; b < T; b++)
		fill(mine + b * N, me, b, round);
	*(int *)upcr_own(perm) = (me + round) % T;
	AROUND(upc_all_broadcast(dst, at(src, root, 0), N, flags));
	CHECK(is(got, root, 0, round));
	AROUND(upc_all_scatter(dst, at(src, root, 0), N, flags));
	CHECK(is(got, root, me, round));
	AROUND(upc_all_gather(at(dst, root, 0), src, N, flags));
	for (int b = 0; b < T; b++)
		CHECK(me != root || is(got + b * N, b, 0, round));
	AROUND(upc_all_gather_all(dst, src, N, flags));
	for (int b = 0; b < T; b++)
		CHECK(is(got + b * N, b, 0, round));
	AROUND(upc_all_exchange(dst, src, N, flags));
	for (int b = 0; b < T; b++)
		CHECK(is(got + b * N, b, me, round));
	AROUND(upc_all_permute(dst, src, perm, N, flags));
	CHECK(is(got, (me - round % T + T) % T, 0, round));
	upc_all_free(src);
	upc_all_free(dst);
	upc_all_free(perm);
}

/* Collectives that synchronise need nothing around them. */
static void synchronised(upc_flag_t flags)
{
	upcr_ptr src = upc_all_alloc((size_t)upcr_threads, sizeof(int)), dst = upc_all_alloc((size_t)upcr_threads, sizeof(int));
	for (int i = 0; i < (upcr_one_node ? 50 : 5); i++) {
		if (upcr_thread == i % upcr_threads)
			UPCR_WRITE(int, at(src, upcr_thread, 0), i);
		upc_all_broadcast(dst, at(src, i % upcr_threads, 0), sizeof(int), flags);
		CHECK(UPCR_READ(int, at(dst, upcr_thread, 0)) == i);
	}
	upc_all_free(src);
	upc_all_free(dst);
}

/* An associative function that is not commutative: composition of maps of {0, 1, 2, 3}, two bits each, in one byte. */
static int compose(int a, int b)
{
	int r = 0;
	for (int i = 0; i < 4; i++)
		r |= (b >> 2 * (a >> 2 * i & 3) & 3) << 2 * i;
	return r;
}

#define FOR_TYPE(LETTERS, T, INTEGER)                                                                              \
	void upc_all_reduce##LETTERS(upcr_ptr, upcr_ptr, int, size_t, size_t, T (*)(T, T), int);                          \
	void upc_all_prefix_reduce##LETTERS(upcr_ptr, upcr_ptr, int, size_t, size_t, T (*)(T, T), int);                   \
	static T user_##LETTERS(T a, T b)                                                                                 \
	{                                                                                                                 \
		return b > a ? b : a;                                                                                         \
	}                                                                                                                 \
	static T compose_##LETTERS(T a, T b)                                                                              \
	{                                                                                                                 \
		return (T)compose((unsigned char)(int)a, (unsigned char)(int)b);                                              \
	}                                                                                                                 \
	static T apply_##LETTERS(int op, T a, T b)                                                                        \
	{                                                                                                                 \
		switch (op) {                                                                                                 \
		case UPC_ADD: return (T)(a + b);                                                                              \
		case UPC_MULT: return (T)(a * b);                                                                             \
		case UPC_AND: return (T)((long)a & (long)b);                                                                  \
		case UPC_OR: return (T)((long)a | (long)b);                                                                   \
		case UPC_XOR: return (T)((long)a ^ (long)b);                                                                  \
		case UPC_LOGAND: return (T)(a && b);                                                                          \
		case UPC_LOGOR: return (T)(a || b);                                                                           \
		case UPC_MIN: return a < b ? a : b;                                                                           \
		case UPC_MAX: return a > b ? a : b;                                                                           \
		case UPC_FUNC: return user_##LETTERS(a, b);                                                                   \
		default: return compose_##LETTERS(a, b);                                                                      \
		}                                                                                                             \
	}                                                                                                                 \
	static void reduce_##LETTERS(int op, size_t count, long b, long skip, int flags)                                  \
	{                                                                                                                 \
		T (*func)(T, T) = op == UPC_FUNC ? user_##LETTERS : op == UPC_NONCOMM_FUNC ? compose_##LETTERS : NULL;        \
		T values[200], acc = 0;                                                                                       \
		upcr_ptr first = upc_all_alloc((size_t)upcr_threads, 400 * sizeof(T)), src = upcr_add(first, skip, b, sizeof(T));     \
		upcr_ptr to = upc_all_alloc((size_t)upcr_threads, 400 * sizeof(T)), dst = upcr_add(to, skip, b, sizeof(T));           \
		for (size_t i = 0; i < count; i++) {                                                                          \
			values[i] = (T)(op == UPC_MULT ? 1 + (i % 9 == 3) : op == UPC_NONCOMM_FUNC ? (i * 37 + 11) % 128 : (i * 7 + 3) % 50 + (op == UPC_LOGAND)); \
			upcr_ptr p = upcr_add(src, (long)i, b, sizeof(T));                                                        \
			if (upcr_is_mine(p))                                                                                      \
				UPCR_HERE(T, p) = values[i];                                                                          \
		}                                                                                                             \
		upcr_barrier(0, 0);                                                                                           \
		upcr_ptr one = at(to, (int)(count % (size_t)upcr_threads), 0);                                                \
		upc_all_reduce##LETTERS(one, src, op, count, (size_t)b, func, flags);                                         \
		upcr_barrier(0, 0);                                                                                           \
		for (size_t i = 0; i < count; i++)                                                                            \
			acc = i ? apply_##LETTERS(op, acc, values[i]) : values[0];                                                \
		if (upcr_is_mine(one))                                                                                        \
			CHECK(UPCR_HERE(T, one) == acc);                                                                          \
		upcr_barrier(0, 0);                                                                                           \
		upc_all_prefix_reduce##LETTERS(dst, src, op, count, (size_t)b, func, flags);                                  \
		upcr_barrier(0, 0);                                                                                           \
		for (size_t i = 0; i < count; i++) {                                                                          \
			acc = i ? apply_##LETTERS(op, acc, values[i]) : values[0];                                                \
			upcr_ptr p = upcr_add(dst, (long)i, b, sizeof(T));                                                        \
			if (upcr_is_mine(p))                                                                                      \
				CHECK(UPCR_HERE(T, p) == acc);                                                                        \
		}                                                                                                             \
		upc_all_free(first);                                                                                          \
		upc_all_free(to);                                                                                             \
	}                                                                                                                 \
	static void reductions_##LETTERS(void)                                                                            \
	{                                                                                                                 \
		static const int ops[] = {UPC_ADD, UPC_MULT, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX, UPC_FUNC, UPC_NONCOMM_FUNC, UPC_AND, UPC_OR, UPC_XOR}; \
		static const struct { size_t count; long block, skip; } shapes[] = {{1, 1, 0}, {37, 1, 3}, {40, 4, 6}, {17, 0, 0}, {9, 16, 5}, {1, 3, 1}}; \
		for (size_t i = 0; i < (INTEGER ? 11 : 8); i++)                                                               \
			for (size_t k = 0; k < (upcr_one_node ? 6 : 1); k++) {                                                    \
				size_t s = upcr_one_node ? k : (i + sizeof(T)) % 6;                                                   \
				reduce_##LETTERS(ops[i], shapes[s].count, shapes[s].block, shapes[s].skip, all_flags[(i + s) % FLAGS]); \
			}                                                                                                         \
	}

FOR_TYPE(C, signed char, 1)
FOR_TYPE(UC, unsigned char, 1)
FOR_TYPE(S, short, 1)
FOR_TYPE(US, unsigned short, 1)
FOR_TYPE(I, int, 1)
FOR_TYPE(UI, unsigned, 1)
FOR_TYPE(L, long, 1)
FOR_TYPE(UL, unsigned long, 1)
FOR_TYPE(F, float, 0)
FOR_TYPE(D, double, 0)
FOR_TYPE(LD, long double, 0)

int upcr_main(int argc, char **argv, char **envp)
{
	UNUSED_MAIN;
	for (int i = 0; i < FLAGS; i++)
		relocation(i, all_flags[i]);
	synchronised(0);
	synchronised(UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	reductions_I();
	reductions_D();
	reductions_C();
	if (upcr_one_node) {
		reductions_UC();
		reductions_S();
		reductions_US();
		reductions_UI();
		reductions_L();
		reductions_UL();
		reductions_F();
		reductions_LD();
	}
	upcr_barrier(0, 0);
	if (upcr_thread == 0)
		printf("fine %d\n", upcr_threads);
	return 0;
}
