/* Assignments to shared objects convert as C's do, have values, and evaluate their operands once. */
#include "check.h"
static shared int a[10 * THREADS];
static shared unsigned char small;
static shared short sh;
static shared double d;
static int calls;
static int next(void) { return calls++; }
void test_assign(void)
{
	int r;
	upc_barrier;
	if (MYTHREAD == 0) {
		CHECK((small = 300) == 44);
		CHECK((sh = 70000) == 4464);
		r = a[0] = a[1] = sh = 9;
		CHECK(r == 9 && a[0] == 9 && a[1] == 9 && sh == 9);
		d = 7 / 2; CHECK(d == 3.0);
		d = 10; d /= 4; CHECK(d == 2.5);
		small = 250; small += 10; CHECK(small == 4);
		a[2] = 5;
		a[2] += 3; a[2] -= 1; a[2] *= 6; a[2] /= 4; a[2] %= 6; a[2] <<= 4; a[2] >>= 1; a[2] |= 1; a[2] &= 0x1f; a[2] ^= 2;
		CHECK(a[2] == (((((((5 + 3 - 1) * 6 / 4) % 6) << 4) >> 1) | 1) & 0x1f ^ 2));
		calls = 0;
		a[next()] = 1; CHECK(calls == 1);
		a[next()] += 10; CHECK(calls == 2 && a[1] == 19);
		a[next()]++; CHECK(calls == 3);
		--a[next()]; CHECK(calls == 4);
		a[5] = 20;
		CHECK(a[5]++ == 20); CHECK(a[5] == 21); CHECK(++a[5] == 22); CHECK(a[5]-- == 22); CHECK(--a[5] == 20);
		small = 255; CHECK(small++ == 255); CHECK(small == 0);
		d = 1.5; d++; CHECK(d == 2.5);
		r = 100; r -= a[5]; CHECK(r == 80);
		a[6] = (r = 3, r + 1); CHECK(a[6] == 4);
		a[7] = r ? a[6] : a[5]; CHECK(a[7] == 4);
		a[r ? 8 : 9] = ((int[]){4, 5, 6})[1]; CHECK(a[8] == 5);
	}
	upc_barrier;
}
