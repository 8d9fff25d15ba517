#include "conform.h"

// 1 Every thread runs main: each has its own number.
FACT(every_thread_has_its_number)
{
	static shared int seen[THREADS];
	seen[MYTHREAD] = MYTHREAD + 1;
	upc_barrier;
	EACH(i, THREADS) IS(seen[i] == (int)i + 1);
}

// 1 MYTHREAD is at least 0 and less than THREADS.
FACT(mythread_is_in_range)
{
	IS(MYTHREAD >= 0);
	IS(MYTHREAD < THREADS);
}

// 1 THREADS is the same on all threads.
FACT(threads_is_the_same_everywhere)
{
	static shared int count[THREADS];
	count[MYTHREAD] = THREADS;
	upc_barrier;
	EACH(i, THREADS) IS(count[i] == THREADS);
}

// 1 THREADS and MYTHREAD are of type int.
FACT(threads_is_an_int)
{
	IS(_Generic(THREADS, int: 1, default: 0));
	IS(_Generic(MYTHREAD, int: 1, default: 0));
	IS(sizeof THREADS == sizeof(int));
}

// 1 THREADS is an operand of all integer operators.
FACT(threads_in_expressions)
{
	int n = THREADS;
	IS(THREADS + 1 == n + 1);
	IS(-THREADS == -n);
	IS((THREADS << 1) == 2 * n);
	IS((THREADS, MYTHREAD) == MYTHREAD);
	IS((THREADS ? 3 : 4) == 3);
	IS(THREADS % n == 0);
}

// 1 Private objects are there once a thread.
static int private_counter = 5;
FACT(private_objects_are_per_thread)
{
	private_counter += MYTHREAD;
	upc_barrier;
	IS(private_counter == 5 + MYTHREAD);
}

// 1 __UPC__ is 1.
FACT(macro_upc)
{
	IS(__UPC__ == 1);
}

// 1 __UPC_VERSION__ is 201311L.
FACT(macro_version)
{
	IS(__UPC_VERSION__ == 201311L);
	IS(sizeof __UPC_VERSION__ == sizeof(long));
}

// 1 UPC_MAX_BLOCK_SIZE is known to the preprocessor.
FACT(macro_max_block_size)
{
#if UPC_MAX_BLOCK_SIZE >= 65536
	IS(1);
#else
	IS(!"UPC_MAX_BLOCK_SIZE in #if");
#endif
	IS(UPC_MAX_BLOCK_SIZE > 0);
}

// 1 Exactly one of the macros of the two THREADS environments is defined.
FACT(macros_of_environments)
{
#if defined __UPC_STATIC_THREADS__ && defined __UPC_DYNAMIC_THREADS__
	IS(!"both");
#elif defined __UPC_STATIC_THREADS__
	IS(__UPC_STATIC_THREADS__ == 1);
#elif defined __UPC_DYNAMIC_THREADS__
	IS(__UPC_DYNAMIC_THREADS__ == 1);
#else
	IS(!"none");
#endif
}

// 1 In the static THREADS environment THREADS is an integer constant expression.
FACT(static_threads_is_constant)
{
#ifdef __UPC_STATIC_THREADS__
	static int a[THREADS];
	enum { N = THREADS };
	_Static_assert(THREADS > 0, "constant");
	IS(sizeof a == THREADS * sizeof(int));
	IS(N == THREADS);
	switch (THREADS) {
	case THREADS:
		IS(1);
		break;
	default:
		IS(0);
	}
#endif
}

// 1 In the static THREADS environment THREADS is known to #if.
FACT(static_threads_in_if)
{
#ifdef __UPC_STATIC_THREADS__
#if THREADS > 0
	IS(1);
#else
	IS(!"THREADS in #if");
#endif
#endif
}

// 1 The macros of other UPC compilers are not defined.
FACT(macros_of_others)
{
#if defined __BERKELEY_UPC__ || defined __GNUC_UPC__ || defined __clang_upc__ || defined _CRAYC
	IS(!"the macro of another compiler");
#else
	IS(1);
#endif
}

// 1 The macro of each library that is there is 1.
FACT(macros_of_libraries)
{
#ifdef __UPC_COLLECTIVE__
	IS(__UPC_COLLECTIVE__ == 1);
#endif
#ifdef __UPC_TICK__
	IS(__UPC_TICK__ == 1);
#endif
#ifdef __UPC_CASTABLE__
	IS(__UPC_CASTABLE__ == 1);
#endif
#ifdef __UPC_IO__
	IS(__UPC_IO__ == 1);
#endif
#ifdef __UPC_ATOMIC__
	IS(__UPC_ATOMIC__ == 1);
#endif
#ifdef __UPC_NB__
	IS(__UPC_NB__ == 1);
#endif
}

// 1 upc.h gives the types of upc_types.h.
FACT(header_upc_includes_types)
{
	upc_flag_t flag = UPC_IN_ALLSYNC;
	upc_op_t op = UPC_ADD;
	upc_type_t type = UPC_INT;
	IS(flag > 0 && op > 0 && type > 0);
}

// 1 A pragma at file scope holds until the next one.
#pragma upc strict
static shared int pragma_word[THREADS];
FACT(pragma_at_file_scope)
{
	pragma_word[MYTHREAD] = 3;
	IS(pragma_word[MYTHREAD] == 3);
}
#pragma upc relaxed

// 1 A pragma at the start of a block holds until its end.
FACT(pragma_in_a_block)
{
	static shared int word[THREADS];
	{
		#pragma upc strict
		word[MYTHREAD] = 7;
	}
	word[MYTHREAD]++;
	IS(word[MYTHREAD] == 8);
}

// 1 The barrier at the start lets no thread see a static shared object before its initial value is there.
static shared int initial = 42;
static shared int initial_zero;
FACT(initial_values_are_there_at_the_start)
{
	IS(initial == 42);
	IS(initial_zero == 0);
}
