#include <mpi.h>
#include "ft.h"
static complex_t *out, *in;

static void to_columns(const struct ft_part *p, const complex_t *u, complex_t *v)
{
	size_t n = (size_t)p->ys * p->nx;
	for (int t = 0; t < p->threads; t++)
		for (int z = 0; z < p->zs; z++)
			memcpy(out + ((size_t)t * p->zs + z) * n, u + ((size_t)z * p->threads + t) * n, n * sizeof *u);
	MPI_Alltoall(out, (int)(2 * n) * p->zs, MPI_DOUBLE, in, (int)(2 * n) * p->zs, MPI_DOUBLE, MPI_COMM_WORLD);
	for (int z = 0; z < p->nz; z++)
		ft_spread(p, in + (size_t)z * n, v, z);
}

static void to_planes(const struct ft_part *p, const complex_t *v, complex_t *u)
{
	size_t n = (size_t)p->ys * p->nx;
	for (int z = 0; z < p->nz; z++)
		ft_collect(p, v, out + (size_t)z * n, z);
	MPI_Alltoall(out, (int)(2 * n) * p->zs, MPI_DOUBLE, in, (int)(2 * n) * p->zs, MPI_DOUBLE, MPI_COMM_WORLD);
	for (int t = 0; t < p->threads; t++)
		for (int z = 0; z < p->zs; z++)
			memcpy(u + ((size_t)z * p->threads + t) * n, in + ((size_t)t * p->zs + z) * n, n * sizeof *u);
}

int main(int argc, char **argv)
{
	int me, threads;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &threads);
	char class = class_of(argc, argv);
	struct ft_class c = ft_class(class);
	struct ft_part p;
	ft_part(&p, &c, threads, me);
	size_t n = (size_t)p.zs * p.ny * p.nx;
	complex_t *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v), *w = malloc(n * sizeof *w), sums[FT_MOST], s[FT_MOST];
	out = malloc(n * sizeof *out);
	in = malloc(n * sizeof *in);
	double *f = malloc(n * sizeof *f), start = 0;
	for (int warm = 1; warm >= 0; warm--) {
		ft_initial(&p, u);
		ft_factors(&p, f);
		MPI_Barrier(MPI_COMM_WORLD);
		start = seconds();
		ft_planes(&p, u, 1);
		to_columns(&p, u, v);
		ft_columns(&p, v, 1);
		for (int k = 0; k < (warm ? 1 : c.times); k++) {
			ft_evolve(&p, v, w, f);
			ft_columns(&p, w, -1);
			to_planes(&p, w, u);
			ft_planes(&p, u, -1);
			sums[k] = ft_sum(&p, u);
		}
		MPI_Barrier(MPI_COMM_WORLD);
	}
	double time = seconds() - start;
	MPI_Reduce(sums, s, 2 * c.times, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (me == 0) {
		int fine = 1;
		for (int k = 0; k < c.times; k++)
			fine &= ft_verify(&c, k, s[k]);
		report("ft", class, threads, time, fine);
	}
	MPI_Finalize();
	return 0;
}
