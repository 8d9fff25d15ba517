#include "conform.h"

/* Every element of a shared array is where its number says, and its address counts the elements of its thread. */
#define LAYOUT(type, block, count) \
	do { \
		static shared [block] type a[(count) * THREADS]; \
		EACH(i, (count) * THREADS) { \
			IS(upc_threadof(&a[i]) == OWNER(i, block)); \
			IS(upc_phaseof(&a[i]) == PHASE(i, block)); \
			size_t local = i / ((block) * THREADS) * (block) + i % (block); \
			IS(upc_addrfield(&a[i]) - upc_addrfield(&a[OWNER(i, block) * (block)]) == local * sizeof(type)); \
		} \
	} while (0)

// 2 A cyclic array of char: element i is on thread i mod THREADS.
FACT(cyclic_char)
{
	LAYOUT(char, 1, 9);
}

// 2 A cyclic array of int.
FACT(cyclic_int)
{
	LAYOUT(int, 1, 7);
}

// 2 A cyclic array of double.
FACT(cyclic_double)
{
	LAYOUT(double, 1, 5);
}

// 2 Blocks of two chars.
FACT(blocks_of_2_char)
{
	LAYOUT(char, 2, 8);
}

// 2 Blocks of two ints.
FACT(blocks_of_2_int)
{
	LAYOUT(int, 2, 6);
}

// 2 Blocks of three shorts, the last of which is not full.
FACT(blocks_of_3_short)
{
	LAYOUT(short, 3, 7);
}

// 2 Blocks of three doubles.
FACT(blocks_of_3_double)
{
	LAYOUT(double, 3, 9);
}

// 2 Blocks of five ints in an array that they do not divide.
FACT(blocks_of_5_int)
{
	LAYOUT(int, 5, 4);
}

// 2 Blocks of seven chars.
FACT(blocks_of_7_char)
{
	LAYOUT(char, 7, 20);
}

// 2 Blocks of eight longs.
FACT(blocks_of_8_long)
{
	LAYOUT(long, 8, 16);
}

// 2 Blocks of one element are the same as no layout qualifier.
FACT(blocks_of_1)
{
	LAYOUT(int, 1, 4);
	static shared [1] int a[THREADS];
	shared int *p = a;
	IS(p == &a[0]);
}

// 2 Blocks of a struct.
struct triple { char c; int i; double d; };
FACT(blocks_of_structs)
{
	LAYOUT(struct triple, 2, 5);
}

// 2 Blocks of long double.
FACT(blocks_of_long_double)
{
	LAYOUT(long double, 3, 4);
}

// 2 Blocks of pointers.
typedef int *int_pointer;
FACT(blocks_of_pointers)
{
	LAYOUT(int_pointer, 2, 3);
}

// 2 Blocks of pointers to shared.
typedef shared int *shared_pointer;
FACT(blocks_of_pointers_to_shared)
{
	LAYOUT(shared_pointer, 2, 3);
}

// 2 A block that is larger than the array holds all of it on thread 0.
FACT(blocks_larger_than_the_array)
{
	LAYOUT(int, 64, 2);
}

// 2 An array of indefinite layout is on one thread.
FACT(indefinite_layout)
{
	static shared [] int a[17];
	EACH(i, 17) {
		IS(upc_threadof(&a[i]) == 0);
		IS(upc_phaseof(&a[i]) == 0);
		IS(upc_addrfield(&a[i]) == upc_addrfield(&a[0]) + i * sizeof(int));
	}
}

// 2 [0] is the indefinite layout.
FACT(block_size_zero)
{
	static shared [0] double a[5];
	shared [] double *p = a;
	EACH(i, 5) IS(upc_threadof(p + i) == 0);
	IS(upc_blocksizeof a == 0);
}

// 2 [*] gives each thread one block of the array.
FACT(block_star)
{
	static shared [*] int a[7 * THREADS];
	IS(upc_blocksizeof a == 7);
	EACH(i, 7 * THREADS) IS(upc_threadof(&a[i]) == i / 7);
}

// 2 [*] counts the elements of all dimensions.
FACT(block_star_of_two_dimensions)
{
	static shared [*] short a[THREADS][5];
	IS(upc_blocksizeof a == 5);
	EACH(i, THREADS) EACH(j, 5) IS(upc_threadof(&a[i][j]) == i && upc_phaseof(&a[i][j]) == j);
}

// 2 [*] with known THREADS rounds up.
FACT(block_star_rounds_up)
{
#ifdef __UPC_STATIC_THREADS__
	static shared [*] int a[10];
	IS(upc_blocksizeof a == (10 + THREADS - 1) / THREADS);
	EACH(i, 10) IS(upc_threadof(&a[i]) == i / ((10 + THREADS - 1) / THREADS));
#endif
}

// 2 A shared scalar is on thread 0.
FACT(scalar_is_on_thread_0)
{
	static shared int a;
	static shared struct triple b;
	static shared char c;
	IS(upc_threadof(&a) == 0 && upc_threadof(&b) == 0 && upc_threadof(&c) == 0);
}

// 2 A block size of a scalar counts for pointers to it.
FACT(scalar_with_a_block_size)
{
	static shared [5] int a;
	shared [5] int *p = &a;
	IS(upc_threadof(p) == 0 && upc_phaseof(p) == 0);
	IS(upc_blocksizeof a == 5);
	IS(upc_phaseof(p + 3) == 3);
}

// 2 The elements of an array of arrays are numbered across its rows.
FACT(rows_go_on)
{
	static shared [4] int a[3][2 * THREADS];
	EACH(i, 3) EACH(j, 2 * THREADS) {
		size_t n = i * 2 * THREADS + j;
		IS(upc_threadof(&a[i][j]) == OWNER(n, 4));
		IS(upc_phaseof(&a[i][j]) == PHASE(n, 4));
	}
}

// 2 THREADS may be the first dimension.
FACT(threads_as_first_dimension)
{
	static shared [3] char a[THREADS][3];
	EACH(i, THREADS) EACH(j, 3) IS(upc_threadof(&a[i][j]) == i);
}

// 2 THREADS may be the last dimension.
FACT(threads_as_last_dimension)
{
	static shared int a[5][THREADS];
	EACH(i, 5) EACH(j, THREADS) IS(upc_threadof(&a[i][j]) == j);
}

// 2 THREADS may be the middle dimension.
FACT(threads_as_middle_dimension)
{
	static shared [2] int a[3][THREADS][2];
	EACH(i, 3) EACH(j, THREADS) EACH(k, 2) IS(upc_threadof(&a[i][j][k]) == j);
}

// 2 THREADS may be multiplied by a constant on both sides.
FACT(threads_times_constants)
{
	static shared int a[2 * THREADS * 3];
	IS(sizeof a == 6 * THREADS * sizeof(int));
}

// 2 The layout of a typedef of an array counts the ultimate elements.
typedef int ten[10];
FACT(layout_of_typedef_array)
{
	static shared [3] ten a[3 * THREADS];
	EACH(i, 3 * THREADS) EACH(j, 10) {
		IS(upc_threadof(&a[i][j]) == OWNER(i * 10 + j, 3));
		IS(upc_phaseof(&a[i][j]) == PHASE(i * 10 + j, 3));
	}
}

// 2 A typedef may carry the layout.
typedef shared [4] int in_fours;
FACT(layout_in_a_typedef)
{
	static in_fours a[4 * THREADS];
	shared [4] int *p = a;
	EACH(i, 4 * THREADS) IS(upc_threadof(p + i) == i / 4);
}

// 2 A typedef of a shared array may be an element.
typedef shared [2] int pair[2];
FACT(typedef_of_a_shared_array)
{
	static pair a[THREADS];
	EACH(i, THREADS) IS(upc_threadof(&a[i][0]) == i && upc_threadof(&a[i][1]) == i);
}

// 2 Several declarators share the qualifier.
FACT(several_declarators)
{
	static shared [2] int a[2 * THREADS], b, *p;
	p = &b;
	IS(upc_threadof(&a[2]) == OWNER(2, 2));
	IS(p == &b);
}

// 2 Static shared objects in blocks are one for all threads.
FACT(static_in_a_block)
{
	static shared int one;
	if (MYTHREAD == THREADS - 1)
		one = 77;
	upc_barrier;
	IS(one == 77);
}

// 2 Two functions may have static shared objects of the same name.
static shared int *same_name_1(void)
{
	static shared int same;
	return &same;
}
static shared int *same_name_2(void)
{
	static shared int same;
	return &same;
}
FACT(statics_of_the_same_name)
{
	IS(same_name_1() != same_name_2());
	if (MYTHREAD == 0) {
		*same_name_1() = 1;
		*same_name_2() = 2;
	}
	upc_barrier;
	IS(*same_name_1() == 1 && *same_name_2() == 2);
}

// 2 An extern declaration in a block names the object of the file.
shared int conform_named_outside;
FACT(extern_in_a_block)
{
	extern shared int conform_named_outside;
	shared int *p = &conform_named_outside;
	IS(p == &conform_named_outside);
}

// 2 A tentative definition may be repeated.
static shared int tentative;
static shared int tentative;
FACT(tentative_definitions)
{
	IS(tentative == 0);
}

// 2 Static shared objects without initialiser are zero.
FACT(zero_at_the_start)
{
	static shared [3] int a[7 * THREADS];
	static shared double d;
	static shared struct triple s;
	static shared int *shared p;
	EACH(i, 7 * THREADS) IS(a[i] == 0);
	IS(d == 0 && s.c == 0 && s.i == 0 && s.d == 0 && p == 0);
}

// 2 The initialiser of a shared scalar is its value at the start.
static shared int first_value = 3 * 7;
static shared double first_double = 2.5;
static shared unsigned char first_char = 'x';
FACT(initial_scalars)
{
	IS(first_value == 21);
	IS(first_double == 2.5);
	IS(first_char == 'x');
}

// 2 The initialiser of a shared struct.
static shared struct triple first_struct = { 'a', .d = 1.25 };
FACT(initial_structs)
{
	IS(first_struct.c == 'a' && first_struct.i == 0 && first_struct.d == 1.25);
}

// 2 A private pointer initialised with the address of a shared object has it on every thread.
static shared int target;
static shared int *to_target = &target;
FACT(initial_private_pointer)
{
	IS(to_target == &target);
	IS(upc_threadof(to_target) == 0);
}

// 2 The address of an element is a constant for initialisers.
static shared [2] int elements[6 * THREADS];
static shared [2] int *to_element = &elements[5];
FACT(initial_pointer_to_element)
{
	IS(to_element == &elements[5]);
	IS(upc_phaseof(to_element) == 1);
	IS(upc_threadof(to_element) == OWNER(5, 2));
}

// 2 A shared pointer initialised with the address of a shared object.
static shared int *shared shared_to_target = &target;
FACT(initial_shared_pointer)
{
	IS(shared_to_target == &target);
}

// 2 Pointers to shared inside of private structs and arrays are initialised.
static struct { int n; shared int *p[2]; } holder = { 4, { &target, 0 } };
FACT(initial_pointers_in_aggregates)
{
	IS(holder.n == 4 && holder.p[0] == &target && holder.p[1] == 0);
}

// 2 shared int *p is a private pointer to shared.
FACT(private_pointer_to_shared)
{
	static shared int a[THREADS];
	shared int *p = &a[MYTHREAD];
	*p = MYTHREAD;
	upc_barrier;
	IS(*p == MYTHREAD && upc_threadof(p) == MYTHREAD);
}

// 2 shared int *shared p is one pointer for all threads.
FACT(shared_pointer_to_shared)
{
	static shared int a[THREADS];
	static shared int *shared p;
	if (MYTHREAD == 0)
		p = &a[THREADS - 1];
	upc_barrier;
	IS(p == &a[THREADS - 1]);
}

// 2 int *shared p is a shared pointer to private objects.
FACT(shared_pointer_to_private)
{
	static int *shared p[THREADS];
	int x = 5 + MYTHREAD;
	p[MYTHREAD] = &x;
	IS(*p[MYTHREAD] == 5 + MYTHREAD);
}

// 2 Structs may have members that point to shared.
struct node { int value; shared struct node *next; };
FACT(members_point_to_shared)
{
	static shared struct node nodes[THREADS];
	nodes[MYTHREAD].value = MYTHREAD;
	nodes[MYTHREAD].next = MYTHREAD + 1 < THREADS ? &nodes[MYTHREAD + 1] : 0;
	upc_barrier;
	int n = 0;
	for (shared struct node *p = &nodes[0]; p; p = p->next)
		IS(p->value == n++);
	IS(n == THREADS);
}

// 2 Functions return pointers to shared.
static shared [3] int *third(shared [3] int *p)
{
	return p + 3;
}
FACT(functions_return_pointers_to_shared)
{
	static shared [3] int a[6 * THREADS];
	IS(third(a) == &a[3]);
}

// 2 Parameters of shared array type are pointers to shared.
static int sum_of(shared [2] int a[], int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += a[i];
	return sum;
}
FACT(parameters_of_array_type)
{
	static shared [2] int a[2 * THREADS];
	a[2 * MYTHREAD] = 1;
	a[2 * MYTHREAD + 1] = 2;
	upc_barrier;
	IS(sum_of(a, 2 * THREADS) == 3 * THREADS);
}

// 2 Old-style parameters may point to shared.
static int old_style(p, n)
	shared int *p;
	int n;
{
	return p[n];
}
FACT(old_style_parameters)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 9;
	IS(old_style(&a[0], MYTHREAD) == 9);
}

// 2 sizeof of a shared object is that of its type.
FACT(sizeof_shared)
{
	static shared [3] int a[5 * THREADS];
	static shared struct triple s;
	IS(sizeof a == 5 * THREADS * sizeof(int));
	IS(sizeof a[0] == sizeof(int));
	IS(sizeof s == sizeof(struct triple));
	IS(sizeof a / sizeof a[0] == 5 * THREADS);
}

// 2 sizeof does not evaluate a shared operand.
FACT(sizeof_does_not_evaluate)
{
	static shared int a[THREADS];
	int i = 0;
	IS(sizeof a[i++] == sizeof(int));
	IS(upc_blocksizeof a[i++] == 1);
	IS(i == 0);
}

// 2 upc_elemsizeof is the size of the ultimate element.
FACT(elemsizeof)
{
	static shared [3] ten a[THREADS];
	static shared struct triple s[THREADS];
	IS(upc_elemsizeof a == sizeof(int));
	IS(upc_elemsizeof(a[0]) == sizeof(int));
	IS(upc_elemsizeof s == sizeof(struct triple));
	IS(upc_elemsizeof(shared double) == sizeof(double));
}

// 2 upc_blocksizeof is the block size: 1 without qualifier, 0 if indefinite.
FACT(blocksizeof)
{
	static shared int a[THREADS];
	static shared [6] int b[THREADS];
	static shared [] int c[3];
	IS(upc_blocksizeof a == 1);
	IS(upc_blocksizeof b == 6);
	IS(upc_blocksizeof c == 0);
	IS(upc_blocksizeof(shared [9] char) == 9);
	shared [6] int *p = b;
	IS(upc_blocksizeof *p == 6);
}

// 2 upc_localsizeof is at least the bytes that any thread has.
FACT(localsizeof)
{
	static shared [3] int a[5 * THREADS];
	static shared [] char b[13];
	static shared double c;
	size_t mine = 0;
	EACH(i, 5 * THREADS) if (upc_threadof(&a[i]) == MYTHREAD) mine += sizeof(int);
	IS(upc_localsizeof a >= mine);
	IS(upc_localsizeof b == 13);
	IS(upc_localsizeof c == sizeof(double));
}

// 2 The three operators give size_t.
FACT(operators_give_size_t)
{
	static shared int a;
	IS(_Generic(upc_localsizeof a, size_t: 1, default: 0));
	IS(_Generic(upc_blocksizeof a, size_t: 1, default: 0));
	IS(_Generic(upc_elemsizeof a, size_t: 1, default: 0));
}

// 2 upc_blocksizeof and upc_elemsizeof are constants.
FACT(operators_are_constants)
{
	static shared [3] short a[6 * THREADS];
	enum { B = upc_blocksizeof a, E = upc_elemsizeof a };
	static shared [upc_blocksizeof a] int b[THREADS];
	IS(B == 3 && E == sizeof(short) && upc_blocksizeof b == 3);
}

// 2 The owner may use its elements through a pointer to local.
FACT(effective_type)
{
	static shared [4] int a[4 * THREADS];
	int *mine = (int *)&a[4 * MYTHREAD];
	EACH(i, 4) mine[i] = 10 * MYTHREAD + i;
	upc_barrier;
	EACH(i, 4 * THREADS) IS(a[i] == 10 * (int)(i / 4) + (int)(i % 4));
}

// 2 Blocks of one thread follow each other without padding.
FACT(no_padding_between_blocks)
{
	static shared [3] char a[12 * THREADS];
	char *mine = (char *)&a[3 * MYTHREAD];
	EACH(b, 4) EACH(i, 3) IS((char *)&a[3 * MYTHREAD + b * 3 * THREADS + i] == mine + 3 * b + i);
}

// 2 Block sizes may come from enumeration constants and sizeof.
enum { FIVE = 5 };
FACT(block_sizes_are_constant_expressions)
{
	static shared [FIVE] int a[5 * THREADS];
	static shared [sizeof(int)] char b[4 * THREADS];
	static shared [FIVE > 3 ? 2 : 1] char c[THREADS];
	IS(upc_blocksizeof a == 5 && upc_blocksizeof b == sizeof(int) && upc_blocksizeof c == 2);
}

// 2 const and volatile stand beside shared.
static const shared int constant = 8;
FACT(const_and_volatile)
{
	static volatile shared int v[THREADS];
	const shared int *p = &constant;
	v[MYTHREAD] = *p;
	IS(v[MYTHREAD] == 8);
}

// 2 In the static THREADS environment any dimension is allowed.
FACT(static_dimensions)
{
#ifdef __UPC_STATIC_THREADS__
	static shared int a[7];
	static shared [2] int b[3][5];
	static shared [] int c[THREADS];
	static shared int d[THREADS][THREADS];
	static shared [THREADS] int e[THREADS * THREADS];
	EACH(i, 7) IS(upc_threadof(&a[i]) == i % THREADS);
	EACH(i, 15) IS(upc_threadof(&b[i / 5][i % 5]) == OWNER(i, 2));
	EACH(i, THREADS) IS(upc_threadof(&c[i]) == 0);
	EACH(i, THREADS * THREADS) IS(upc_threadof(&d[i / THREADS][i % THREADS]) == i % THREADS);
	EACH(i, THREADS * THREADS) IS(upc_threadof(&e[i]) == i / THREADS);
#endif
}

// 2 Bit-fields of shared structs keep their neighbours.
struct bits { unsigned a : 3, b : 7, c : 22; int d : 5; };
FACT(bitfields)
{
	static shared struct bits s[THREADS];
	s[MYTHREAD].a = 5;
	s[MYTHREAD].b = 100;
	s[MYTHREAD].c = 1 << 21;
	s[MYTHREAD].d = -7;
	s[MYTHREAD].b++;
	upc_barrier;
	EACH(i, THREADS) IS(s[i].a == 5 && s[i].b == 101 && s[i].c == 1 << 21 && s[i].d == -7);
}
