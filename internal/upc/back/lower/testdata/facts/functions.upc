/* Pointers-to-shared as parameters and results, through function pointers, in old-style definitions, variadic calls and typedefs. */
#include "check.h"
#include <stdarg.h>
typedef shared [3] int *ip;
typedef shared int sint;
typedef sint *sip;
typedef ip (*chooser)(ip, int);
static shared [3] int a[9 * THREADS];
static shared int b[9 * THREADS];
static ip pick(ip p, int n) { return p + n; }
static shared [3] int *pick2(shared [3] int p[], int n);
static shared [3] int *pick2(shared [3] int p[], int n) { return &p[n]; }
static int old(p, n, q) shared int *p; int n; sint *q; { return p[n] + *q; }
static int count(int n, ...)
{
	va_list ap;
	int sum = 0;
	va_start(ap, n);
	while (n--)
		sum += *va_arg(ap, shared int *);
	va_end(ap);
	return sum;
}
static void set(sip p, int v) { *p = v; }
static shared int *(*table[2])(shared int *);
static shared int *after(shared int *p) { return p + 1; }
static shared int *before(shared int *p) { return p - 1; }
static inline shared [3] int *(*give(void))(shared [3] int *, int) { return pick2; }
static int nested(shared int (*rows)[9], int i, int j) { return rows[i][j]; }
void test_functions(void)
{
	chooser c = pick;
	shared [3] int *(*d)(shared [3] int *, int) = &pick2;
	if (MYTHREAD == 0) {
		int i;
		for (i = 0; i < 9 * THREADS; i++) {
			a[i] = i;
			set(&b[i], i * 10);
		}
	}
	upc_barrier;
	CHECK(*pick(a, 4) == 4 && c(a, 5) == &a[5] && (*d)(a, 7) == a + 7 && *give()(a, 8) == 8);
	CHECK(old(b, 2, &b[3]) == 50 && count(3, &b[1], &b[2], b + 3) == 60);
	table[0] = after; table[1] = before;
	CHECK(table[0](b) == &b[1] && *table[1](b + 3) == 20);
	CHECK(nested((shared int (*)[9])b, 0, 5) == 50);
	upc_barrier;
}
