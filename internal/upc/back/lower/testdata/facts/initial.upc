/* Initialisers: of shared scalars and arrays, and addresses of shared objects in private and shared ones. */
#include "check.h"
shared int one = 41 + 1;
shared double half = 1 / 2.0;
shared int list[2 * THREADS] = { 5 };
shared [] int part[6] = { 1, 2, [4] = 9 };
shared [] char word[8] = "shared";
struct point { int x, y; };
shared struct point origin = { 3, .y = 4 };
shared [] struct point points[3] = { { 1, 2 }, { .y = 5 }, 7, 8 };
shared int *p = &list[1];
static shared int *const q = list;
shared int *shared sp = &one;
shared void *generic = &half;
static struct { const char *name; shared int *where; int n; } table[] = { { "one", &one, 1 }, { "none", 0, 2 }, { .n = 3, .where = list + 1 } };
static shared [] int *range[] = { [1 ... 2] = &part[4], &part[1] };
shared [] int *shared both[2 * THREADS] = { &part[2] };
int *plain = 0, number = sizeof(shared int *);
static int counted(void)
{
	static shared int total = 100;
	static shared int *at = &total;
	static int calls = 7;
	CHECK(at == &total && *at >= 100);
	return ++calls;
}
void test_initial(void)
{
	CHECK(one == 42 && half == 0.5 && list[0] == 5 && (THREADS < 1 || list[1] == 0));
	CHECK(part[0] == 1 && part[1] == 2 && part[2] == 0 && part[4] == 9 && part[5] == 0);
	CHECK(word[0] == 's' && word[5] == 'd' && word[6] == 0);
	CHECK(origin.x == 3 && origin.y == 4 && points[0].y == 2 && points[1].x == 0 && points[1].y == 5 && points[2].x == 7 && points[2].y == 8);
	CHECK(p == &list[1] && q == list && sp == &one && *sp == 42 && generic == (shared void *)&half);
	CHECK(table[0].where == &one && table[1].where == NULL && table[2].where == &list[1] && table[2].n == 3 && table[0].name[2] == 'e');
	CHECK(sizeof table / sizeof *table == 3);
	CHECK(range[0] == 0 && range[1] == &part[4] && range[2] == &part[4] && range[3] == &part[1]);
	CHECK(both[0] == &part[2] && plain == 0 && number == sizeof p);
	CHECK(counted() == 8 && counted() == 9);
	upc_barrier;
}
