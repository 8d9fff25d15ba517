#include <upc.h>
#include "cg.h"
#define MOST 75000
/* The direction vector, all of it at one thread's part after the other: [MOST] leaves room for one part in a block. */
shared [MOST] double direction[THREADS][MOST];
shared double partial[2][THREADS];
static double *whole; /* this thread's copy of the direction vector */
static long n, first, rows;
static int turn;

/* The sum of a number over all threads. */
static double sum(double x)
{
	int t = turn ^= 1;
	double s = 0;
	partial[t][MYTHREAD] = x;
	upc_barrier;
	for (int i = 0; i < THREADS; i++)
		s += partial[t][i];
	return s;
}

/* whole = the parts p of all threads. */
static void gather(const double *p)
{
	memcpy((double *)direction[MYTHREAD], p, (size_t)rows * sizeof *p);
	upc_barrier;
	for (int t = 0; t < THREADS; t++) {
		long from = part(n, t, THREADS), to = part(n, t + 1, THREADS);
		upc_memget(whole + from, direction[t], (size_t)(to - from) * sizeof *whole);
	}
}

static double solve(const struct cg_matrix *m, const double *x, double *z, double *p, double *q, double *r)
{
	double rho;
	for (long i = 0; i < rows; i++) {
		z[i] = q[i] = 0;
		p[i] = r[i] = x[i];
	}
	rho = sum(cg_dot(rows, r, r));
	for (int k = 0; k < CG_STEPS; k++) {
		gather(p);
		cg_multiply(m, whole, q);
		double alpha = rho / sum(cg_dot(rows, p, q)), before = rho;
		for (long i = 0; i < rows; i++) {
			z[i] += alpha * p[i];
			r[i] -= alpha * q[i];
		}
		rho = sum(cg_dot(rows, r, r));
		double beta = rho / before;
		for (long i = 0; i < rows; i++)
			p[i] = r[i] + beta * p[i];
	}
	return rho;
}

int main(int argc, char **argv)
{
	char class = class_of(argc, argv);
	struct cg_class c = cg_class(class);
	struct cg_matrix m;
	n = c.n;
	first = part(n, MYTHREAD, THREADS);
	rows = part(n, MYTHREAD + 1, THREADS) - first;
	cg_make(&m, &c, first, first + rows);
	double *v = calloc((size_t)(5 * rows + n), sizeof *v), zeta = 0, start = 0;
	double *x = v, *z = v + rows, *p = z + rows, *q = p + rows, *r = q + rows;
	whole = r + rows;
	for (int k = -1; k < c.iterations; k++) {
		if (k <= 0)
			for (long i = 0; i < rows; i++)
				x[i] = 1;
		if (k == 0) {
			upc_barrier;
			start = seconds();
		}
		solve(&m, x, z, p, q, r);
		double xz = sum(cg_dot(rows, x, z)), zz = sum(cg_dot(rows, z, z)), scale = 1 / sqrt(zz);
		zeta = c.shift + 1 / xz;
		for (long i = 0; i < rows; i++)
			x[i] = scale * z[i];
	}
	upc_barrier;
	if (MYTHREAD == 0)
		report("cg", class, THREADS, seconds() - start, close_to(zeta, c.zeta, 1e-10));
	return 0;
}
