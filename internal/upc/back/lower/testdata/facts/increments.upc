/* ++ and -- of pointers-to-shared have C's values, also of those in arrays, structs, shared memory and behind pointers. */
#include "check.h"
static shared [2] int a[8 * THREADS];
static shared [2] int *shared sp;
struct s { int pad; shared [2] int *p; } ss, *ps = &ss;
static int calls;
static struct s *get(void) { calls++; return &ss; }
void test_increments(void)
{
	shared [2] int *p = a, *list[3] = { a, a + 1, a + 2 }, **pp = &p;
	int i = 1;
	CHECK(p++ == a && p == a + 1);
	CHECK(++p == a + 2 && p-- == a + 2 && p == a + 1 && --p == a);
	CHECK(list[i++]++ == a + 1 && i == 2 && list[1] == a + 2);
	CHECK(++list[i--] == a + 3 && i == 1);
	CHECK((list[i++] += 2) == a + 4 && i == 2 && list[1] == a + 4);
	CHECK((*pp)++ == a && p == a + 1 && *pp == p);
	CHECK((p += 3) == a + 4 && (p -= 2) == a + 2);
	ss.p = a;
	CHECK(ss.p++ == a && ps->p == a + 1 && ++ps->p == a + 2);
	CHECK(get()->p++ == a + 2 && calls == 1 && ss.p == a + 3);
	CHECK((get()->p += 2) == a + 5 && calls == 2);
	upc_barrier;
	if (MYTHREAD == 0) {
		sp = a;
		CHECK(sp++ == a && sp == a + 1 && ++sp == a + 2 && (sp += 3) == a + 5 && sp-- == a + 5);
		*sp++ = 44;
		CHECK(sp[-1] == 44 && *--sp == 44);
		*sp += 2;
		CHECK(*sp == 46 && (*sp)++ == 46 && a[4] == 47);
	}
	upc_barrier;
	CHECK(sp == a + 4 && *sp == 47);
	upc_barrier;
}
