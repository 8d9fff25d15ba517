#include <upc.h>
#include "ft.h"
/* Each thread's planes lie as one piece in its own memory, from which others take their rows. */
static shared [] complex_t *shared us[THREADS];
shared complex_t sums[FT_MOST][THREADS];

/* v = the rows of the own y of all planes; the planes of all threads are ready. */
static void to_columns(const struct ft_part *p, complex_t *v, complex_t *rows)
{
	size_t n = (size_t)p->ys * p->nx;
	upc_barrier;
	for (int k = 0; k < THREADS; k++) {
		int t = (MYTHREAD + k) % THREADS;
		for (int z = 0; z < p->zs; z++) {
			upc_memget(rows, us[t] + ((size_t)z * THREADS + MYTHREAD) * n, n * sizeof *rows);
			ft_spread(p, rows, v, t * p->zs + z);
		}
	}
}

/* The planes of all threads get their rows of the own y. */
static void to_planes(const struct ft_part *p, const complex_t *v, complex_t *rows)
{
	size_t n = (size_t)p->ys * p->nx;
	for (int k = 0; k < THREADS; k++) {
		int t = (MYTHREAD + k) % THREADS;
		for (int z = 0; z < p->zs; z++) {
			ft_collect(p, v, rows, t * p->zs + z);
			upc_memput(us[t] + ((size_t)z * THREADS + MYTHREAD) * n, rows, n * sizeof *rows);
		}
	}
	upc_barrier;
}

int main(int argc, char **argv)
{
	char class = class_of(argc, argv);
	struct ft_class c = ft_class(class);
	struct ft_part p;
	ft_part(&p, &c, THREADS, MYTHREAD);
	size_t n = (size_t)p.zs * p.ny * p.nx;
	us[MYTHREAD] = upc_alloc(n * sizeof(complex_t));
	complex_t *u = (complex_t *)us[MYTHREAD], *v = malloc(n * sizeof *v), *w = malloc(n * sizeof *w);
	complex_t *rows = malloc((size_t)p.ys * p.nx * sizeof *rows);
	double *f = malloc(n * sizeof *f), start = 0;
	for (int warm = 1; warm >= 0; warm--) {
		ft_initial(&p, u);
		ft_factors(&p, f);
		upc_barrier;
		start = seconds();
		ft_planes(&p, u, 1);
		to_columns(&p, v, rows);
		ft_columns(&p, v, 1);
		for (int k = 0; k < (warm ? 1 : c.times); k++) {
			ft_evolve(&p, v, w, f);
			ft_columns(&p, w, -1);
			upc_barrier;
			to_planes(&p, w, rows);
			ft_planes(&p, u, -1);
			sums[k][MYTHREAD] = ft_sum(&p, u);
		}
		upc_barrier;
	}
	if (MYTHREAD == 0) {
		double time = seconds() - start;
		int fine = 1;
		for (int k = 0; k < c.times; k++) {
			complex_t s = { 0, 0 };
			for (int t = 0; t < THREADS; t++) {
				s.re += sums[k][t].re;
				s.im += sums[k][t].im;
			}
			fine &= ft_verify(&c, k, s);
		}
		report("ft", class, THREADS, time, fine);
	}
	return 0;
}
