#include "conform.h"

/* Pointer arithmetic agrees with the numbers of the elements of an array. */
#define WALK(type, block, count) \
	static shared [block] type a[(count) * THREADS]; \
	shared [block] type *base = a; \
	const long n = (count) * THREADS

// 3 p + i for blocks of 1 int: the element i further on.
FACT(add_int_1)
{
	WALK(int, 1, 5);
	for (long i = 0; i < n; i++)
		IS(base + i == &a[i]);
	for (long i = 0; i < n; i++)
		IS(upc_threadof(base + i) == OWNER(i, 1) && upc_phaseof(base + i) == PHASE(i, 1));
}

// 3 p - i goes back by i elements, blocks of 1 int.
FACT(back_int_1)
{
	WALK(int, 1, 5);
	for (long i = 0; i < n; i++)
		for (long j = 0; j <= i; j++)
			IS(&a[i] - j == &a[i - j]);
}

// 3 p - q is the number of elements between them, blocks of 1 int.
FACT(difference_int_1)
{
	WALK(int, 1, 5);
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++)
			IS(&a[i] - &a[j] == i - j);
	IS(base - base == 0);
}

// 3 ++ and -- go to the next element and back, blocks of 1 int.
FACT(increments_int_1)
{
	WALK(int, 1, 5);
	shared [1] int *p = base;
	for (long i = 0; i < n; i++, p++)
		IS(p == &a[i] && upc_phaseof(p) == PHASE(i, 1));
	for (long i = n; i-- > 0;)
		IS(--p == &a[i]);
	IS(p++ == base && p-- == base + 1 && p == base);
}

// 3 += and -= with blocks of 1 int.
FACT(compound_int_1)
{
	WALK(int, 1, 5);
	for (long i = 0; i < n; i++) {
		shared [1] int *p = base;
		IS((p += i) == &a[i]);
		IS((p -= i) == base);
	}
}

// 3 The order of pointers is that of the elements, blocks of 1 int.
FACT(order_int_1)
{
	WALK(int, 1, 5);
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++) {
			IS((&a[i] < &a[j]) == (i < j));
			IS((&a[i] >= &a[j]) == (i >= j));
		}
}

// 3 p[i] is the object at p + i, i may be negative, blocks of 1 int.
FACT(index_int_1)
{
	WALK(int, 1, 5);
	for (long i = MYTHREAD; i < n; i += THREADS)
		base[i] = i;
	upc_barrier;
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++)
			IS((&a[i])[j - i] == j);
}

// 3 A pointer one past the end compares and goes back, blocks of 1 int.
FACT(past_the_end_int_1)
{
	WALK(int, 1, 5);
	shared [1] int *end = a + n;
	IS(end - base == n && end > base && end - 1 == &a[n - 1]);
}

// 3 p + i for blocks of 2 char: the element i further on.
FACT(add_char_2)
{
	WALK(char, 2, 6);
	for (long i = 0; i < n; i++)
		IS(base + i == &a[i]);
	for (long i = 0; i < n; i++)
		IS(upc_threadof(base + i) == OWNER(i, 2) && upc_phaseof(base + i) == PHASE(i, 2));
}

// 3 p - i goes back by i elements, blocks of 2 char.
FACT(back_char_2)
{
	WALK(char, 2, 6);
	for (long i = 0; i < n; i++)
		for (long j = 0; j <= i; j++)
			IS(&a[i] - j == &a[i - j]);
}

// 3 p - q is the number of elements between them, blocks of 2 char.
FACT(difference_char_2)
{
	WALK(char, 2, 6);
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++)
			IS(&a[i] - &a[j] == i - j);
	IS(base - base == 0);
}

// 3 ++ and -- go to the next element and back, blocks of 2 char.
FACT(increments_char_2)
{
	WALK(char, 2, 6);
	shared [2] char *p = base;
	for (long i = 0; i < n; i++, p++)
		IS(p == &a[i] && upc_phaseof(p) == PHASE(i, 2));
	for (long i = n; i-- > 0;)
		IS(--p == &a[i]);
	IS(p++ == base && p-- == base + 1 && p == base);
}

// 3 += and -= with blocks of 2 char.
FACT(compound_char_2)
{
	WALK(char, 2, 6);
	for (long i = 0; i < n; i++) {
		shared [2] char *p = base;
		IS((p += i) == &a[i]);
		IS((p -= i) == base);
	}
}

// 3 The order of pointers is that of the elements, blocks of 2 char.
FACT(order_char_2)
{
	WALK(char, 2, 6);
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++) {
			IS((&a[i] < &a[j]) == (i < j));
			IS((&a[i] >= &a[j]) == (i >= j));
		}
}

// 3 p[i] is the object at p + i, i may be negative, blocks of 2 char.
FACT(index_char_2)
{
	WALK(char, 2, 6);
	for (long i = MYTHREAD; i < n; i += THREADS)
		base[i] = i;
	upc_barrier;
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++)
			IS((&a[i])[j - i] == j);
}

// 3 A pointer one past the end compares and goes back, blocks of 2 char.
FACT(past_the_end_char_2)
{
	WALK(char, 2, 6);
	shared [2] char *end = a + n;
	IS(end - base == n && end > base && end - 1 == &a[n - 1]);
}

// 3 p + i for blocks of 3 double: the element i further on.
FACT(add_double_3)
{
	WALK(double, 3, 4);
	for (long i = 0; i < n; i++)
		IS(base + i == &a[i]);
	for (long i = 0; i < n; i++)
		IS(upc_threadof(base + i) == OWNER(i, 3) && upc_phaseof(base + i) == PHASE(i, 3));
}

// 3 p - i goes back by i elements, blocks of 3 double.
FACT(back_double_3)
{
	WALK(double, 3, 4);
	for (long i = 0; i < n; i++)
		for (long j = 0; j <= i; j++)
			IS(&a[i] - j == &a[i - j]);
}

// 3 p - q is the number of elements between them, blocks of 3 double.
FACT(difference_double_3)
{
	WALK(double, 3, 4);
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++)
			IS(&a[i] - &a[j] == i - j);
	IS(base - base == 0);
}

// 3 ++ and -- go to the next element and back, blocks of 3 double.
FACT(increments_double_3)
{
	WALK(double, 3, 4);
	shared [3] double *p = base;
	for (long i = 0; i < n; i++, p++)
		IS(p == &a[i] && upc_phaseof(p) == PHASE(i, 3));
	for (long i = n; i-- > 0;)
		IS(--p == &a[i]);
	IS(p++ == base && p-- == base + 1 && p == base);
}

// 3 += and -= with blocks of 3 double.
FACT(compound_double_3)
{
	WALK(double, 3, 4);
	for (long i = 0; i < n; i++) {
		shared [3] double *p = base;
		IS((p += i) == &a[i]);
		IS((p -= i) == base);
	}
}

// 3 The order of pointers is that of the elements, blocks of 3 double.
FACT(order_double_3)
{
	WALK(double, 3, 4);
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++) {
			IS((&a[i] < &a[j]) == (i < j));
			IS((&a[i] >= &a[j]) == (i >= j));
		}
}

// 3 p[i] is the object at p + i, i may be negative, blocks of 3 double.
FACT(index_double_3)
{
	WALK(double, 3, 4);
	for (long i = MYTHREAD; i < n; i += THREADS)
		base[i] = i;
	upc_barrier;
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++)
			IS((&a[i])[j - i] == j);
}

// 3 A pointer one past the end compares and goes back, blocks of 3 double.
FACT(past_the_end_double_3)
{
	WALK(double, 3, 4);
	shared [3] double *end = a + n;
	IS(end - base == n && end > base && end - 1 == &a[n - 1]);
}

// 3 p + i for blocks of 4 short: the element i further on.
FACT(add_short_4)
{
	WALK(short, 4, 8);
	for (long i = 0; i < n; i++)
		IS(base + i == &a[i]);
	for (long i = 0; i < n; i++)
		IS(upc_threadof(base + i) == OWNER(i, 4) && upc_phaseof(base + i) == PHASE(i, 4));
}

// 3 p - i goes back by i elements, blocks of 4 short.
FACT(back_short_4)
{
	WALK(short, 4, 8);
	for (long i = 0; i < n; i++)
		for (long j = 0; j <= i; j++)
			IS(&a[i] - j == &a[i - j]);
}

// 3 p - q is the number of elements between them, blocks of 4 short.
FACT(difference_short_4)
{
	WALK(short, 4, 8);
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++)
			IS(&a[i] - &a[j] == i - j);
	IS(base - base == 0);
}

// 3 ++ and -- go to the next element and back, blocks of 4 short.
FACT(increments_short_4)
{
	WALK(short, 4, 8);
	shared [4] short *p = base;
	for (long i = 0; i < n; i++, p++)
		IS(p == &a[i] && upc_phaseof(p) == PHASE(i, 4));
	for (long i = n; i-- > 0;)
		IS(--p == &a[i]);
	IS(p++ == base && p-- == base + 1 && p == base);
}

// 3 += and -= with blocks of 4 short.
FACT(compound_short_4)
{
	WALK(short, 4, 8);
	for (long i = 0; i < n; i++) {
		shared [4] short *p = base;
		IS((p += i) == &a[i]);
		IS((p -= i) == base);
	}
}

// 3 The order of pointers is that of the elements, blocks of 4 short.
FACT(order_short_4)
{
	WALK(short, 4, 8);
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++) {
			IS((&a[i] < &a[j]) == (i < j));
			IS((&a[i] >= &a[j]) == (i >= j));
		}
}

// 3 p[i] is the object at p + i, i may be negative, blocks of 4 short.
FACT(index_short_4)
{
	WALK(short, 4, 8);
	for (long i = MYTHREAD; i < n; i += THREADS)
		base[i] = i;
	upc_barrier;
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++)
			IS((&a[i])[j - i] == j);
}

// 3 A pointer one past the end compares and goes back, blocks of 4 short.
FACT(past_the_end_short_4)
{
	WALK(short, 4, 8);
	shared [4] short *end = a + n;
	IS(end - base == n && end > base && end - 1 == &a[n - 1]);
}

// 3 p + i for blocks of 7 int: the element i further on.
FACT(add_int_7)
{
	WALK(int, 7, 3);
	for (long i = 0; i < n; i++)
		IS(base + i == &a[i]);
	for (long i = 0; i < n; i++)
		IS(upc_threadof(base + i) == OWNER(i, 7) && upc_phaseof(base + i) == PHASE(i, 7));
}

// 3 p - i goes back by i elements, blocks of 7 int.
FACT(back_int_7)
{
	WALK(int, 7, 3);
	for (long i = 0; i < n; i++)
		for (long j = 0; j <= i; j++)
			IS(&a[i] - j == &a[i - j]);
}

// 3 p - q is the number of elements between them, blocks of 7 int.
FACT(difference_int_7)
{
	WALK(int, 7, 3);
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++)
			IS(&a[i] - &a[j] == i - j);
	IS(base - base == 0);
}

// 3 ++ and -- go to the next element and back, blocks of 7 int.
FACT(increments_int_7)
{
	WALK(int, 7, 3);
	shared [7] int *p = base;
	for (long i = 0; i < n; i++, p++)
		IS(p == &a[i] && upc_phaseof(p) == PHASE(i, 7));
	for (long i = n; i-- > 0;)
		IS(--p == &a[i]);
	IS(p++ == base && p-- == base + 1 && p == base);
}

// 3 += and -= with blocks of 7 int.
FACT(compound_int_7)
{
	WALK(int, 7, 3);
	for (long i = 0; i < n; i++) {
		shared [7] int *p = base;
		IS((p += i) == &a[i]);
		IS((p -= i) == base);
	}
}

// 3 The order of pointers is that of the elements, blocks of 7 int.
FACT(order_int_7)
{
	WALK(int, 7, 3);
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++) {
			IS((&a[i] < &a[j]) == (i < j));
			IS((&a[i] >= &a[j]) == (i >= j));
		}
}

// 3 p[i] is the object at p + i, i may be negative, blocks of 7 int.
FACT(index_int_7)
{
	WALK(int, 7, 3);
	for (long i = MYTHREAD; i < n; i += THREADS)
		base[i] = i;
	upc_barrier;
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++)
			IS((&a[i])[j - i] == j);
}

// 3 A pointer one past the end compares and goes back, blocks of 7 int.
FACT(past_the_end_int_7)
{
	WALK(int, 7, 3);
	shared [7] int *end = a + n;
	IS(end - base == n && end > base && end - 1 == &a[n - 1]);
}

// 3 Pointers of indefinite layout stay on their thread.
FACT(add_indefinite)
{
	static shared [] int a[20];
	shared [] int *p = a;
	for (int i = 0; i < 20; i++) {
		IS(p + i == &a[i]);
		IS(upc_threadof(p + i) == 0 && upc_phaseof(p + i) == 0);
		IS(upc_addrfield(p + i) - upc_addrfield(p) == i * sizeof(int));
	}
}

// 3 The difference of pointers of indefinite layout.
FACT(difference_indefinite)
{
	static shared [] double a[9];
	for (int i = 0; i < 9; i++)
		for (int j = 0; j < 9; j++)
			IS(&a[i] - &a[j] == i - j && (&a[i] < &a[j]) == (i < j));
}

// 3 The element type of a pointer may be an array: steps are rows.
FACT(pointers_to_rows)
{
	static shared [4] int a[3 * THREADS][6];
	shared [4] int (*p)[6] = a;
	for (int i = 0; i < 3 * THREADS; i++, p++) {
		IS(p == &a[i]);
		IS(*p == &a[i][0]);
		IS(*p + 2 == &a[i][2]);
		IS(&(*p)[5] == &a[i][5]);
	}
	IS(p - a == 3 * THREADS);
}

// 3 A row decays to a pointer with the block size of the array.
FACT(rows_decay)
{
	static shared [3] int a[5][2 * THREADS];
	for (int i = 0; i < 5; i++) {
		shared [3] int *row = a[i];
		IS(row == &a[i][0] && upc_phaseof(row) == PHASE(i * 2 * THREADS, 3));
		IS(row + 1 == &a[i][1]);
		IS(row - i * 2 * THREADS == &a[0][0]);
	}
}

// 3 & of an array is a pointer to the whole array.
FACT(address_of_array)
{
	static shared [2] int a[4 * THREADS];
	IS(&a[0] == *&a);
	IS((shared void *)&a == (shared void *)&a[0]);
	IS(sizeof *&a == sizeof a);
}

// 3 The address of a member of a shared struct is of indefinite layout.
struct pair { int x; double y; int z[3]; };
FACT(address_of_member)
{
	static shared [2] struct pair s[2 * THREADS];
	for (int i = 0; i < 2 * THREADS; i++) {
		shared [] double *p = &s[i].y;
		IS(upc_threadof(p) == OWNER(i, 2) && upc_phaseof(p) == 0);
		IS(upc_addrfield(p) - upc_addrfield(&s[i]) == sizeof(double));
	}
	IS(upc_blocksizeof s[0].y == 0);
}

// 3 The address through an arrow too.
FACT(address_through_arrow)
{
	static shared struct pair s[THREADS];
	shared struct pair *p = &s[MYTHREAD];
	shared [] int *z = p->z;
	p->z[2] = MYTHREAD;
	IS(z[2] == MYTHREAD && &p->z[1] == z + 1 && upc_threadof(z) == MYTHREAD);
}

// 3 A null pointer-to-shared compares equal to 0 and is false.
FACT(null_pointer)
{
	shared int *p = 0;
	shared [5] double *q = NULL;
	shared void *g = 0;
	IS(p == 0 && !p && q == NULL && g == 0);
	IS((p ? 1 : 2) == 2);
	static shared int x;
	p = &x;
	IS(p != 0 && p && NULL != p);
}

// 3 Null stays null through casts to other pointers.
FACT(null_through_casts)
{
	shared int *p = 0;
	IS((shared [7] char *)p == 0);
	IS((shared void *)p == 0);
	IS((int *)p == NULL);
	IS((void *)(shared [3] int *)0 == NULL);
}

// 3 Null pointers of all types compare equal.
FACT(nulls_are_equal)
{
	shared int *p = 0;
	shared void *g = (shared void *)0;
	IS(p == g && g == (shared [] char *)0);
}

// 3 == does not look at the phase.
FACT(equality_ignores_phase)
{
	static shared [4] int a[4 * THREADS];
	shared [4] int *p = &a[2];
	shared [4] int *q = (shared [4] int *)upc_resetphase(p);
	IS(upc_phaseof(p) == 2 && upc_phaseof(q) == 0);
	IS(p == q && !(p != q));
}

// 3 Elements of different threads are not equal.
FACT(inequality)
{
	static shared int a[THREADS];
	for (int i = 0; i < THREADS; i++)
		for (int j = 0; j < THREADS; j++)
			IS((&a[i] == &a[j]) == (i == j) && (&a[i] != &a[j]) == (i != j));
}

// 3 Conversion to shared void * keeps the phase.
FACT(generic_keeps_phase)
{
	static shared [5] int a[5 * THREADS];
	for (int i = 0; i < 5 * THREADS; i++) {
		shared void *g = &a[i];
		IS(upc_phaseof(g) == i % 5 && upc_threadof(g) == i / 5);
		shared [5] int *back = g;
		IS(back == &a[i] && upc_phaseof(back) == i % 5);
	}
}

// 3 Conversion from shared void * to blocks of one gives phase 0.
FACT(generic_to_cyclic)
{
	static shared [5] int a[5 * THREADS];
	shared void *g = &a[3];
	shared int *p = g;
	IS(upc_phaseof(p) == 0 && upc_threadof(p) == 0);
}

// 3 Conversion from shared void * to an indefinite layout gives phase 0.
FACT(generic_to_indefinite)
{
	static shared [5] int a[5 * THREADS];
	shared void *g = &a[3];
	shared [] int *p = g;
	IS(upc_phaseof(p) == 0 && (shared void *)p == (shared void *)&a[3]);
}

// 3 A cast to another block size gives phase 0.
FACT(cast_to_other_block)
{
	static shared [5] int a[5 * THREADS];
	shared [3] int *p = (shared [3] int *)&a[4];
	IS(upc_phaseof(p) == 0 && upc_threadof(p) == 0);
	IS(upc_addrfield(p) == upc_addrfield(&a[4]));
	IS(upc_phaseof(p + 2) == 2);
}

// 3 A cast to another element size gives phase 0.
FACT(cast_to_other_element)
{
	static shared [4] int a[4 * THREADS];
	shared [4] char *p = (shared [4] char *)&a[3];
	IS(upc_phaseof(p) == 0 && upc_addrfield(p) == upc_addrfield(&a[3]));
}

// 3 A cast to the same block size keeps the phase.
FACT(cast_to_same_block)
{
	static shared [4] int a[4 * THREADS];
	shared [4] unsigned *p = (shared [4] unsigned *)&a[3];
	const shared [4] int *q = (const shared [4] int *)&a[2];
	IS(upc_phaseof(p) == 3 && upc_phaseof(q) == 2);
}

// 3 A cast from indefinite to cyclic walks across the threads.
FACT(cast_to_cyclic)
{
	static shared int a[3 * THREADS];
	shared [] int *mine = (shared [] int *)&a[MYTHREAD];
	IS(upc_threadof(mine + 1) == MYTHREAD);
	IS((shared void *)(mine + 1) == (shared void *)&a[MYTHREAD + THREADS]);
	shared int *walk = (shared int *)mine;
	IS(walk + 1 == &a[MYTHREAD + 1]);
}

// 3 A cast to a pointer-to-local gives the object of this thread.
FACT(cast_to_local)
{
	static shared double a[THREADS];
	double *p = (double *)&a[MYTHREAD];
	*p = 1.5 + MYTHREAD;
	IS(a[MYTHREAD] == 1.5 + MYTHREAD);
	a[MYTHREAD] = 2.5;
	IS(*p == 2.5);
}

// 3 A cast of a shared array to a pointer-to-local.
FACT(cast_of_array_to_local)
{
	static shared [4] int a[4 * THREADS];
	if (MYTHREAD == 0) {
		int *p = (int *)a;
		p[3] = 12;
		IS(a[3] == 12);
	}
}

// 3 A cast to local keeps const and volatile.
FACT(cast_to_local_qualified)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 3;
	const int *p = (const int *)&a[MYTHREAD];
	volatile int *q = (volatile int *)&a[MYTHREAD];
	IS(*p == 3 && *q == 3);
}

// 3 A pointer-to-shared may be cast to an integer.
FACT(cast_to_integer)
{
	static shared int x;
	shared int *p = &x;
	unsigned long n = (unsigned long)p, m = (unsigned long)p;
	IS(n == m && (_Bool)p);
}

// 3 Pointers-to-shared may be stored in shared memory and used by others.
FACT(stored_in_shared)
{
	static shared int a[THREADS];
	static shared int *shared p[THREADS];
	p[MYTHREAD] = &a[(MYTHREAD + 1) % THREADS];
	upc_barrier;
	*p[MYTHREAD] = MYTHREAD;
	upc_barrier;
	IS(a[(MYTHREAD + 1) % THREADS] == MYTHREAD);
	IS(p[(MYTHREAD + 1) % THREADS] == &a[(MYTHREAD + 2) % THREADS]);
}

// 3 Pointers-to-shared are assigned, passed and returned by value.
static shared [3] int *same(shared [3] int *p)
{
	return p;
}
FACT(passed_by_value)
{
	static shared [3] int a[9 * THREADS];
	shared [3] int *p = &a[4], *q = p;
	IS(same(p) == q && upc_phaseof(same(p)) == 1);
	q++;
	IS(p == &a[4] && q == &a[5]);
}

// 3 Pointers-to-shared in private arrays and structs.
FACT(in_private_objects)
{
	static shared int a[3 * THREADS];
	shared int *list[3] = { a, a + 1, &a[2] };
	struct { shared int *p; int n; } s = { .p = list[1], .n = 1 }, t = s;
	for (int i = 0; i < 3; i++)
		IS(list[i] == &a[i]);
	IS(t.p == s.p && t.p - list[0] == 1);
}

// 3 Pointers to pointers-to-shared.
FACT(pointers_to_pointers)
{
	static shared int x;
	shared int *p = 0, **pp = &p;
	*pp = &x;
	IS(p == &x && *pp == p);
	if (MYTHREAD == 0)
		**pp = 5;
	upc_barrier;
	IS(x == 5);
}

// 3 Functions with pointers-to-shared are called through pointers.
FACT(through_function_pointers)
{
	static shared [3] int a[3 * THREADS];
	shared [3] int *(*f)(shared [3] int *) = same;
	IS(f(&a[1]) == &a[1]);
}

// 3 A conditional expression of pointers-to-shared.
FACT(conditional_pointers)
{
	static shared int a[2 * THREADS];
	shared int *p = MYTHREAD % 2 ? &a[0] : &a[1], *q = MYTHREAD < 0 ? a : 0;
	shared void *g = MYTHREAD >= 0 ? (shared void *)&a[1] : p;
	IS(p == &a[MYTHREAD % 2 ? 0 : 1] && q == 0 && g == &a[1]);
}

// 3 Pointers-to-shared are operands of !, && and ||.
FACT(truth_of_pointers)
{
	static shared int x;
	shared int *p = &x, *q = 0;
	IS(p && !q && (p || q) && !(p && q));
	int n = 0;
	while (p) {
		n++;
		p = 0;
	}
	IS(n == 1);
}

// 3 Array elements are read and written by any thread.
FACT(access_by_any_thread)
{
	static shared [3] long a[6 * THREADS];
	if (MYTHREAD == THREADS - 1)
		EACH(i, 6 * THREADS) a[i] = 100 + i;
	upc_barrier;
	EACH(i, 6 * THREADS) IS(a[i] == 100 + (long)i);
}

// 3 Reading and writing a shared char.
FACT(access_char)
{
	typedef char type;
	static shared type a[THREADS];
	a[MYTHREAD] = -5;
	IS(a[MYTHREAD] == (char)(-5));
	upc_barrier;
	type theirs = a[(MYTHREAD + 1) % THREADS];
	(void)theirs;
	upc_barrier;
	a[(MYTHREAD + 1) % THREADS] = 7;
	upc_barrier;
	IS(a[MYTHREAD] == (char)(7));
}

// 3 Reading and writing a shared unsigned char.
FACT(access_unsigned_char)
{
	typedef unsigned char type;
	static shared type a[THREADS];
	a[MYTHREAD] = 200;
	IS(a[MYTHREAD] == (unsigned char)(200));
	upc_barrier;
	type theirs = a[(MYTHREAD + 1) % THREADS];
	(void)theirs;
	upc_barrier;
	a[(MYTHREAD + 1) % THREADS] = 255;
	upc_barrier;
	IS(a[MYTHREAD] == (unsigned char)(255));
}

// 3 Reading and writing a shared short.
FACT(access_short)
{
	typedef short type;
	static shared type a[THREADS];
	a[MYTHREAD] = -3000;
	IS(a[MYTHREAD] == (short)(-3000));
	upc_barrier;
	type theirs = a[(MYTHREAD + 1) % THREADS];
	(void)theirs;
	upc_barrier;
	a[(MYTHREAD + 1) % THREADS] = 31000;
	upc_barrier;
	IS(a[MYTHREAD] == (short)(31000));
}

// 3 Reading and writing a shared unsigned short.
FACT(access_unsigned_short)
{
	typedef unsigned short type;
	static shared type a[THREADS];
	a[MYTHREAD] = 60000;
	IS(a[MYTHREAD] == (unsigned short)(60000));
	upc_barrier;
	type theirs = a[(MYTHREAD + 1) % THREADS];
	(void)theirs;
	upc_barrier;
	a[(MYTHREAD + 1) % THREADS] = 65535;
	upc_barrier;
	IS(a[MYTHREAD] == (unsigned short)(65535));
}

// 3 Reading and writing a shared int.
FACT(access_int)
{
	typedef int type;
	static shared type a[THREADS];
	a[MYTHREAD] = -70000;
	IS(a[MYTHREAD] == (int)(-70000));
	upc_barrier;
	type theirs = a[(MYTHREAD + 1) % THREADS];
	(void)theirs;
	upc_barrier;
	a[(MYTHREAD + 1) % THREADS] = 2000000000;
	upc_barrier;
	IS(a[MYTHREAD] == (int)(2000000000));
}

// 3 Reading and writing a shared unsigned.
FACT(access_unsigned)
{
	typedef unsigned type;
	static shared type a[THREADS];
	a[MYTHREAD] = 3000000000u;
	IS(a[MYTHREAD] == (unsigned)(3000000000u));
	upc_barrier;
	type theirs = a[(MYTHREAD + 1) % THREADS];
	(void)theirs;
	upc_barrier;
	a[(MYTHREAD + 1) % THREADS] = 4294967295u;
	upc_barrier;
	IS(a[MYTHREAD] == (unsigned)(4294967295u));
}

// 3 Reading and writing a shared long.
FACT(access_long)
{
	typedef long type;
	static shared type a[THREADS];
	a[MYTHREAD] = -5000000000L;
	IS(a[MYTHREAD] == (long)(-5000000000L));
	upc_barrier;
	type theirs = a[(MYTHREAD + 1) % THREADS];
	(void)theirs;
	upc_barrier;
	a[(MYTHREAD + 1) % THREADS] = 9000000000000L;
	upc_barrier;
	IS(a[MYTHREAD] == (long)(9000000000000L));
}

// 3 Reading and writing a shared unsigned long.
FACT(access_unsigned_long)
{
	typedef unsigned long type;
	static shared type a[THREADS];
	a[MYTHREAD] = 18446744073709551615ul;
	IS(a[MYTHREAD] == (unsigned long)(18446744073709551615ul));
	upc_barrier;
	type theirs = a[(MYTHREAD + 1) % THREADS];
	(void)theirs;
	upc_barrier;
	a[(MYTHREAD + 1) % THREADS] = 1ul;
	upc_barrier;
	IS(a[MYTHREAD] == (unsigned long)(1ul));
}

// 3 Reading and writing a shared long long.
FACT(access_long_long)
{
	typedef long long type;
	static shared type a[THREADS];
	a[MYTHREAD] = -7ll;
	IS(a[MYTHREAD] == (long long)(-7ll));
	upc_barrier;
	type theirs = a[(MYTHREAD + 1) % THREADS];
	(void)theirs;
	upc_barrier;
	a[(MYTHREAD + 1) % THREADS] = 1ll << 40;
	upc_barrier;
	IS(a[MYTHREAD] == (long long)(1ll << 40));
}

// 3 Reading and writing a shared float.
FACT(access_float)
{
	typedef float type;
	static shared type a[THREADS];
	a[MYTHREAD] = 1.5f;
	IS(a[MYTHREAD] == (float)(1.5f));
	upc_barrier;
	type theirs = a[(MYTHREAD + 1) % THREADS];
	(void)theirs;
	upc_barrier;
	a[(MYTHREAD + 1) % THREADS] = -0.25f;
	upc_barrier;
	IS(a[MYTHREAD] == (float)(-0.25f));
}

// 3 Reading and writing a shared double.
FACT(access_double)
{
	typedef double type;
	static shared type a[THREADS];
	a[MYTHREAD] = 3.25;
	IS(a[MYTHREAD] == (double)(3.25));
	upc_barrier;
	type theirs = a[(MYTHREAD + 1) % THREADS];
	(void)theirs;
	upc_barrier;
	a[(MYTHREAD + 1) % THREADS] = -1e300;
	upc_barrier;
	IS(a[MYTHREAD] == (double)(-1e300));
}

// 3 Reading and writing a shared long double.
FACT(access_long_double)
{
	typedef long double type;
	static shared type a[THREADS];
	a[MYTHREAD] = 1.5L;
	IS(a[MYTHREAD] == (long double)(1.5L));
	upc_barrier;
	type theirs = a[(MYTHREAD + 1) % THREADS];
	(void)theirs;
	upc_barrier;
	a[(MYTHREAD + 1) % THREADS] = -2.25L;
	upc_barrier;
	IS(a[MYTHREAD] == (long double)(-2.25L));
}

// 3 Reading and writing a shared _Bool.
FACT(access__Bool)
{
	typedef _Bool type;
	static shared type a[THREADS];
	a[MYTHREAD] = 1;
	IS(a[MYTHREAD] == (_Bool)(1));
	upc_barrier;
	type theirs = a[(MYTHREAD + 1) % THREADS];
	(void)theirs;
	upc_barrier;
	a[(MYTHREAD + 1) % THREADS] = 0;
	upc_barrier;
	IS(a[MYTHREAD] == (_Bool)(0));
}

// 3 Reading and writing a shared void *.
FACT(access_void_pointer)
{
	int x = 0;
	(void)x;
	typedef void * type;
	static shared type a[THREADS];
	a[MYTHREAD] = (void *)&x;
	IS(a[MYTHREAD] == (void *)((void *)&x));
	upc_barrier;
	type theirs = a[(MYTHREAD + 1) % THREADS];
	(void)theirs;
	upc_barrier;
	a[(MYTHREAD + 1) % THREADS] = (void *)0;
	upc_barrier;
	IS(a[MYTHREAD] == (void *)((void *)0));
}

// 3 Reading and writing a shared complex number.
FACT(access_complex)
{
	static shared _Complex double a[THREADS];
	a[MYTHREAD] = 1.0 + 2.0i;
	upc_barrier;
	IS(__imag__ a[(MYTHREAD + 1) % THREADS] == 2.0 && __real__ a[(MYTHREAD + 1) % THREADS] == 1.0);
}

// 3 Reading and writing a shared enumeration.
enum color { RED, GREEN = 5 };
FACT(access_enum)
{
	static shared enum color a[THREADS];
	a[MYTHREAD] = GREEN;
	upc_barrier;
	IS(a[(MYTHREAD + 1) % THREADS] == GREEN);
}

// 3 Whole structs are read from and written to shared memory.
FACT(access_struct)
{
	static shared struct pair a[THREADS];
	struct pair p = { MYTHREAD, 2.5, { 1, 2, 3 } };
	a[MYTHREAD] = p;
	upc_barrier;
	struct pair q = a[(MYTHREAD + 1) % THREADS];
	IS(q.x == (MYTHREAD + 1) % THREADS && q.y == 2.5 && q.z[2] == 3);
}

// 3 A shared struct is assigned to another.
FACT(shared_struct_to_shared)
{
	static shared struct pair a[2 * THREADS];
	a[MYTHREAD].x = MYTHREAD;
	a[MYTHREAD].z[1] = 7;
	a[MYTHREAD + THREADS] = a[MYTHREAD];
	IS(a[MYTHREAD + THREADS].x == MYTHREAD && a[MYTHREAD + THREADS].z[1] == 7);
}

// 3 Members of a struct on another thread.
FACT(remote_members)
{
	static shared struct pair a[THREADS];
	a[(MYTHREAD + 1) % THREADS].x = MYTHREAD;
	a[(MYTHREAD + 1) % THREADS].z[2] = 9;
	upc_barrier;
	IS(a[MYTHREAD].x == (MYTHREAD + THREADS - 1) % THREADS && a[MYTHREAD].z[2] == 9);
}

// 3 A struct as the result of a function is stored in shared memory.
static struct pair make(int n)
{
	return (struct pair){ n, n + 0.5, { 0 } };
}
FACT(struct_result_to_shared)
{
	static shared struct pair a[THREADS];
	a[MYTHREAD] = make(4);
	IS(a[MYTHREAD].x == 4 && a[MYTHREAD].y == 4.5);
}

// 3 A shared struct is passed by value.
static double sum_pair(struct pair p)
{
	return p.x + p.y;
}
FACT(shared_struct_argument)
{
	static shared struct pair a[THREADS];
	a[MYTHREAD] = make(6);
	IS(sum_pair(a[MYTHREAD]) == 12.5);
}

// 3 A shared union has one place for its members.
union either { int i; char c[4]; };
FACT(shared_union)
{
	static shared union either a[THREADS];
	a[MYTHREAD].i = 0x01020304;
	IS(a[MYTHREAD].c[0] == 4);
	a[MYTHREAD].c[3] = 0;
	IS(a[MYTHREAD].i == 0x00020304);
}

// 3 += on a shared object reads, changes and writes it.
FACT(compound_add)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 7;
	int value = (a[MYTHREAD] += 3);
	IS(a[MYTHREAD] == (7 + 3) && value == (7 + 3));
}

// 3 -= on a shared object reads, changes and writes it.
FACT(compound_sub)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 7;
	int value = (a[MYTHREAD] -= 3);
	IS(a[MYTHREAD] == (7 - 3) && value == (7 - 3));
}

// 3 *= on a shared object reads, changes and writes it.
FACT(compound_mul)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 7;
	int value = (a[MYTHREAD] *= 3);
	IS(a[MYTHREAD] == (7 * 3) && value == (7 * 3));
}

// 3 /= on a shared object reads, changes and writes it.
FACT(compound_div)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 7;
	int value = (a[MYTHREAD] /= 3);
	IS(a[MYTHREAD] == (7 / 3) && value == (7 / 3));
}

// 3 %= on a shared object reads, changes and writes it.
FACT(compound_mod)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 7;
	int value = (a[MYTHREAD] %= 3);
	IS(a[MYTHREAD] == (7 % 3) && value == (7 % 3));
}

// 3 &= on a shared object reads, changes and writes it.
FACT(compound_and)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 7;
	int value = (a[MYTHREAD] &= 3);
	IS(a[MYTHREAD] == (7 & 3) && value == (7 & 3));
}

// 3 |= on a shared object reads, changes and writes it.
FACT(compound_or)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 7;
	int value = (a[MYTHREAD] |= 3);
	IS(a[MYTHREAD] == (7 | 3) && value == (7 | 3));
}

// 3 ^= on a shared object reads, changes and writes it.
FACT(compound_xor)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 7;
	int value = (a[MYTHREAD] ^= 3);
	IS(a[MYTHREAD] == (7 ^ 3) && value == (7 ^ 3));
}

// 3 <<= on a shared object reads, changes and writes it.
FACT(compound_shl)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 7;
	int value = (a[MYTHREAD] <<= 3);
	IS(a[MYTHREAD] == (7 << 3) && value == (7 << 3));
}

// 3 >>= on a shared object reads, changes and writes it.
FACT(compound_shr)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 7;
	int value = (a[MYTHREAD] >>= 1);
	IS(a[MYTHREAD] == (7 >> 1) && value == (7 >> 1));
}

// 3 ++ and -- on shared objects give the values that they give in C.
FACT(increment_shared)
{
	static shared int a[THREADS];
	a[MYTHREAD] = 5;
	IS(a[MYTHREAD]++ == 5 && a[MYTHREAD] == 6);
	IS(++a[MYTHREAD] == 7 && a[MYTHREAD]-- == 7);
	IS(--a[MYTHREAD] == 5);
}

// 3 Operands of shared accesses are evaluated once.
FACT(evaluated_once)
{
	static shared int a[4 * THREADS];
	int i = MYTHREAD;
	a[i += THREADS] += 3;
	IS(i == MYTHREAD + THREADS && a[i] == 3);
	shared int *p = &a[MYTHREAD];
	*p++ = 8;
	IS(p == &a[MYTHREAD + 1] && a[MYTHREAD] == 8);
}

// 3 An assignment to a shared object converts its value.
FACT(assignment_converts)
{
	static shared char c[THREADS];
	static shared float f[THREADS];
	c[MYTHREAD] = 258;
	f[MYTHREAD] = 3;
	int n = (c[MYTHREAD] = 515);
	IS(n == 3 && c[MYTHREAD] == 3 && f[MYTHREAD] / 2 == 1.5f);
}

// 3 Assignments to shared objects are chained.
FACT(assignments_chained)
{
	static shared int a[2 * THREADS];
	int x = a[MYTHREAD] = a[MYTHREAD + THREADS] = 6;
	IS(x == 6 && a[MYTHREAD] == 6 && a[MYTHREAD + THREADS] == 6);
}

// 3 Shared arrays inside of shared structs.
FACT(arrays_in_structs)
{
	static shared struct pair a[THREADS];
	for (int i = 0; i < 3; i++)
		a[MYTHREAD].z[i] = 10 * MYTHREAD + i;
	upc_barrier;
	EACH(t, THREADS) EACH(i, 3) IS(a[t].z[i] == 10 * (int)t + (int)i);
}

// 3 Locks may be compared and stored.
FACT(locks_are_pointers)
{
	static upc_lock_t *shared l[THREADS];
	upc_lock_t *mine = upc_global_lock_alloc();
	l[MYTHREAD] = mine;
	upc_barrier;
	IS(mine && l[MYTHREAD] == mine);
	IS(THREADS == 1 || l[(MYTHREAD + 1) % THREADS] != mine);
	upc_barrier;
	upc_lock_free(mine);
}

// 3 A pointer walks from the last block of a thread to the next round.
FACT(next_round)
{
	static shared [2] int a[6 * THREADS];
	shared [2] int *p = &a[2 * THREADS - 1];
	IS(upc_threadof(p) == THREADS - 1 && upc_phaseof(p) == 1);
	p++;
	IS(upc_threadof(p) == 0 && upc_phaseof(p) == 0);
	IS(upc_addrfield(p) == upc_addrfield(&a[0]) + 2 * sizeof(int));
}

// 3 Large steps and their way back.
FACT(large_steps)
{
	static shared [7] short a[70 * THREADS];
	shared [7] short *p = a;
	p += 69 * THREADS;
	IS(p == &a[69 * THREADS]);
	p -= 68 * THREADS;
	IS(p == &a[THREADS] && p - a == THREADS);
}

// 3 Arithmetic on pointers from the heap.
FACT(heap_arithmetic)
{
	shared [4] int *p = (shared [4] int *)upc_all_alloc(3 * THREADS, 4 * sizeof(int));
	for (int i = 0; i < 12 * THREADS; i++)
		IS(upc_threadof(p + i) == OWNER(i, 4) && upc_phaseof(p + i) == PHASE(i, 4));
	upc_barrier;
	upc_all_free(p);
}

// 3 The index may be of any integer type.
FACT(index_types)
{
	static shared [3] int a[9 * THREADS];
	char c = 4;
	unsigned long u = 4;
	long long l = -1;
	IS(&a[c] == a + 4 && &a[u] == a + 4 && &a[5] + l == &a[4] && &4[a] == &a[4]);
}
