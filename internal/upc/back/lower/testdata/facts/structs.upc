/* Shared structs: members, arrays within, nested and unnamed ones, whole assignments, addresses of members. */
#include "check.h"
struct in { short k; char name[6]; };
typedef struct { double re, im; } complex_t;
struct out { int a; struct in in[3]; union { int u; float f; }; complex_t z; shared int *link; struct { int deep; } d; };
static shared struct out s[4 * THREADS];
static shared complex_t zs[3 * THREADS];
static shared int target[THREADS];
static struct out make(int n)
{
	struct out o = { .a = n, .in = { [1] = { 7, "abc" } }, .u = 5, .z = { 1.5, 2.5 }, .link = &target[n % THREADS] };
	o.d.deep = n * 2;
	return o;
}
static int sum(struct out o) { return o.a + o.in[1].k + o.d.deep; }
void test_structs(void)
{
	int i, me = MYTHREAD;
	for (i = me; i < 4 * THREADS; i += THREADS)
		s[(i + 1) % (4 * THREADS)] = make((i + 1) % (4 * THREADS));
	upc_barrier;
	for (i = 0; i < 4 * THREADS; i++) {
		struct out o = s[i];
		CHECK(o.a == i && s[i].a == i && s[i].in[1].k == 7 && s[i].in[1].name[2] == 'c' && s[i].u == 5);
		CHECK(s[i].z.im == 2.5 && s[i].link == &target[i % THREADS] && s[i].d.deep == 2 * i && sum(s[i]) == 3 * i + 7);
		CHECK(&s[i].z.im == (shared [] double *)&s[i].z + 1);
		CHECK(upc_threadof(&s[i].in[2]) == i % THREADS && upc_phaseof(&s[i].in[2].k) == 0);
	}
	upc_barrier;
	{
		shared struct out *p = &s[me], *q = s;
		shared [] char *name = p->in[2].name;
		shared [] struct in *in = &p->in[0];
		name[0] = 'h'; name[1] = 0; in[2].k = 9; in++; in->k++;
		(*p).a = -1; p->z.re *= 2; p->d.deep += 5; p->z = (complex_t){ p->z.re, 8 };
		CHECK(s[me].in[2].name[0] == 'h' && s[me].in[2].k == 9 && s[me].in[1].k == 8 && s[me].a == -1);
		CHECK(s[me].z.re == 3.0 && s[me].z.im == 8 && s[me].d.deep == 2 * me + 5);
		q += me; CHECK(q == p && q->a == -1 && (q + 4)->a == (q == p ? s[me + 4 < 4 * THREADS ? me + 4 : me].a : 0) || THREADS < 2);
		*p->link = 70 + me;
		s[me] = *p;
		zs[me] = s[me].z; CHECK(zs[me].im == 8 && (zs[me] = zs[me]).re == 3.0);
	}
	upc_barrier;
	CHECK(target[(me + 1) % THREADS] == 70 + (me + 1) % THREADS);
	upc_barrier;
}
