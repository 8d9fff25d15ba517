/* One mistake in a upc_forall per function, which the comment at its line names, or none. The first argument chooses one. */
#include <upc.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

shared int a[10 * THREADS];
static jmp_buf far, near;

static int returns(int n)
{
	upc_forall (int i = 0; i < n; i++; i)
		if (i == MYTHREAD)
			return i; /* FORA-11 */
	return 0;
}

static int breaks(int n)
{
	upc_forall (int i = 0; i < n; i++; &a[i]) {
		for (;;)
			break;
		if (i > 1)
			break; /* FORA-12 */
	}
	return 0;
}

static int goes_out(int n)
{
	upc_forall (int i = 0; i < n; i++; i)
		if (i > 1)
			goto out; /* FORA-13 */
out:
	return 0;
}

static int goes_in(int n)
{
	if (n)
		goto in; /* FORA-14 */
	upc_forall (int i = 0; i < n; i++; i) {
in:
		a[MYTHREAD] = n;
	}
	return 0;
}

static int switches_in(int n)
{
	switch (n) {
		upc_forall (int i = 0; i < n; i++; i) {
	case 20:
			a[MYTHREAD] = n; /* -1 FORA-14 */
		}
	}
	return 0;
}

static int jumps(int n)
{
	if (setjmp(far))
		return 0;
	upc_forall (int i = 0; i < n; i++; i)
		longjmp(far, 1); /* FORA-15 */
	return 0;
}

static int exits(int n)
{
	upc_forall (int i = 0; i < n; i++; i)
		exit(0); /* FORA-16 */
	return 0;
}

static void meet(void)
{
	upc_barrier; /* BARR-04 */
}

static int meets(int n)
{
	upc_forall (int i = 0; i < n; i++; i)
		meet();
	return 0;
}

static int negative(int n)
{
	upc_forall (int i = 0; i < n; i++; i - 1) ; /* FORA-04 */
	return 0;
}

static int negative_later(int n)
{
	upc_forall (int i = 0; i < n; i++; i == 3 ? -2 : i) ; /* FORA-04 */
	return 0;
}

static int null_affinity(int n)
{
	shared int *p = 0;
	upc_forall (int i = 0; i < n; i++; p) ; /* FORA-05 */
	return 0;
}

static int other_count(int n)
{
	upc_forall (int i = 0; i < n + MYTHREAD; i++; i) ; /* FORA-01 */
	upc_barrier;
	return 0;
}

static int other_count_later(int n)
{
	int k = MYTHREAD;
	upc_forall (int i = 0; k < n; i++, k += 1 + MYTHREAD; i) ; /* FORA-01 */
	upc_barrier;
	return 0;
}

static int other_affinity(int n)
{
	upc_forall (int i = 0; i < n; i++; &a[i + MYTHREAD]) ; /* FORA-03 */
	upc_barrier;
	return 0;
}

static int other_affinity_once(int n)
{
	upc_forall (int i = 0; i < n; i++; i == 4 ? MYTHREAD : i) ; /* FORA-03 */
	upc_barrier;
	return 0;
}

static int right(int n)
{
	int sum = 0;
	upc_forall (int i = 0; i < n; i++; i) {
		for (int k = 0; k < 3; k++)
			if (k == 1)
				break;
		switch (i) {
		case 1:
			break;
		default:
			sum++;
		}
		if (i == 2)
			goto next;
		if (setjmp(near) == 0)
			longjmp(near, 1);
		upc_forall (int k = 0; k < MYTHREAD; k++; k)
			sum++;
	next:;
	}
	for (int i = 0; i < 3; i++) {
		if (setjmp(far) == 0 && i == 1)
			longjmp(far, 1);
		upc_barrier;
	}
	upc_forall (int i = 0; ; i++; continue) {
		upc_barrier;
		if (i == 3)
			break;
	}
	upc_forall (int i = 0; i < MYTHREAD * 0 + n; i++; i / 3)
		sum++;
	exit(sum < 0);
}

int main(int argc, char **argv)
{
	static const struct { const char *name; int (*run)(int); } all[] = {
#define CASE(f) {#f, f}
		CASE(returns), CASE(breaks), CASE(goes_out), CASE(goes_in), CASE(switches_in), CASE(jumps), CASE(exits), CASE(meets), CASE(negative),
		CASE(negative_later), CASE(null_affinity), CASE(other_count), CASE(other_count_later), CASE(other_affinity), CASE(other_affinity_once),
		CASE(right),
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (argc > 1 && strcmp(argv[1], all[i].name) == 0)
			return all[i].run(20);
	return 3;
}
