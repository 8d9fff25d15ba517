/* Bit-fields of shared structs keep their neighbours. */
#include "check.h"
struct flags { unsigned a : 3; signed b : 5; unsigned c : 24; _Bool d : 1; unsigned long e : 40; unsigned : 0; unsigned char f : 2; int plain; };
static shared struct flags s[2 * THREADS];
static shared struct { int n : 4; } t;
static unsigned other(unsigned v) { s[MYTHREAD].a = v; return 9; }
void test_bits(void)
{
	shared struct flags *p = &s[(MYTHREAD + 1) % THREADS];
	p->plain = 77; p->a = 5; p->b = -4; p->c = 0xabcdef; p->d = 3; p->e = 0x123456789aUL; p->f = 2;
	upc_barrier;
	p = &s[MYTHREAD];
	CHECK(p->a == 5 && p->b == -4 && p->c == 0xabcdef && p->d == 1 && p->e == 0x123456789aUL && p->f == 2 && p->plain == 77);
	CHECK((p->a = 12) == 4 && p->a == 4 && p->b == -4);
	CHECK(p->a++ == 4 && p->a == 5 && ++p->a == 6 && (p->a += 3) == 1 && p->a == 1 && p->b == -4);
	p->b -= 30; CHECK(p->b == -2 && p->a == 1 && p->c == 0xabcdef);
	p->e |= 1UL << 39; CHECK(p->e == 0x923456789aUL && p->d == 1);
	(*p).f--; CHECK(s[MYTHREAD].f == 1);
	s[MYTHREAD].c = other(3); CHECK(p->c == 9 && p->a == 3 && p->b == -2 && p->plain == 77);
	upc_barrier;
	if (MYTHREAD == 0)
		t.n = -8;
	upc_barrier;
	CHECK(t.n == -8 && t.n - 1 == -9);
	upc_barrier;
}
