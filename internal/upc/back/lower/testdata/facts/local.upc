/* A cast of a pointer to one's own elements gives plain memory. */
#include "check.h"
#define B 6
static shared [B] double a[B * THREADS];
static shared int c[10 * THREADS];
struct pair { int x; double y; };
static shared struct pair s[THREADS];
void test_local(void)
{
	double *mine = (double *)&a[MYTHREAD * B];
	int *m = (int *)&c[MYTHREAD], i;
	struct pair *p = (struct pair *)&s[MYTHREAD];
	for (i = 0; i < B; i++)
		mine[i] = MYTHREAD * 100 + i;
	for (i = 0; i < 10; i++)
		m[i] = MYTHREAD + i * THREADS;
	p->x = MYTHREAD; p->y = MYTHREAD / 4.0;
	*(int *)(shared void *)&c[MYTHREAD] += 0;
	upc_barrier;
	for (i = 0; i < B * THREADS; i++)
		CHECK(a[i] == i / B * 100 + i % B);
	for (i = 0; i < 10 * THREADS; i++)
		CHECK(c[i] == i);
	for (i = 0; i < THREADS; i++)
		CHECK(s[i].x == i && s[i].y == i / 4.0);
	CHECK((double *)&a[MYTHREAD * B] == mine && ((char *)&a[MYTHREAD * B + 1]) - (char *)mine == sizeof(double));
	upc_barrier;
}
