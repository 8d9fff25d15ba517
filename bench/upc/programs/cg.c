#include <mpi.h>
#include "cg.h"
static double *whole; /* this rank's copy of the direction vector */
static long n, first, rows;
static int me, threads, *counts, *starts;

static double sum(double x)
{
	double s;
	MPI_Allreduce(&x, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return s;
}

static void solve(const struct cg_matrix *m, const double *x, double *z, double *p, double *q, double *r)
{
	double rho;
	for (long i = 0; i < rows; i++) {
		z[i] = q[i] = 0;
		p[i] = r[i] = x[i];
	}
	rho = sum(cg_dot(rows, r, r));
	for (int k = 0; k < CG_STEPS; k++) {
		MPI_Allgatherv(p, (int)rows, MPI_DOUBLE, whole, counts, starts, MPI_DOUBLE, MPI_COMM_WORLD);
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
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &threads);
	char class = class_of(argc, argv);
	struct cg_class c = cg_class(class);
	struct cg_matrix m;
	n = c.n;
	first = part(n, me, threads);
	rows = part(n, me + 1, threads) - first;
	counts = malloc((size_t)threads * sizeof *counts);
	starts = malloc((size_t)threads * sizeof *starts);
	for (int t = 0; t < threads; t++) {
		starts[t] = (int)part(n, t, threads);
		counts[t] = (int)part(n, t + 1, threads) - starts[t];
	}
	cg_make(&m, &c, first, first + rows);
	double *v = calloc((size_t)(5 * rows + n), sizeof *v), zeta = 0, start = 0;
	double *x = v, *z = v + rows, *p = z + rows, *q = p + rows, *r = q + rows;
	whole = r + rows;
	for (int k = -1; k < c.iterations; k++) {
		if (k <= 0)
			for (long i = 0; i < rows; i++)
				x[i] = 1;
		if (k == 0) {
			MPI_Barrier(MPI_COMM_WORLD);
			start = seconds();
		}
		solve(&m, x, z, p, q, r);
		double xz = sum(cg_dot(rows, x, z)), zz = sum(cg_dot(rows, z, z)), scale = 1 / sqrt(zz);
		zeta = c.shift + 1 / xz;
		for (long i = 0; i < rows; i++)
			x[i] = scale * z[i];
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (me == 0)
		report("cg", class, threads, seconds() - start, close_to(zeta, c.zeta, 1e-10));
	MPI_Finalize();
	return 0;
}
