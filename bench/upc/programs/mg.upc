#include <upc.h>
#include "mg.h"
#include "mg_cycle.h"
/* Each thread's grids lie in its own memory, where its neighbours put their planes. */
static shared [] double *shared us[MG_LEVELS][THREADS], *shared rs[MG_LEVELS][THREADS], *shared vs[THREADS];
shared double squares[THREADS];

/* Before a neighbour writes an array's ghosts again there has been an exchange of another array, so one barrier is enough. */
static void exchange(const struct mg_grid *g, double *a)
{
	int up = (MYTHREAD + 1) % THREADS, down = (MYTHREAD + THREADS - 1) % THREADS, k = (int)(g - grid);
	long n = mg_plane(g);
	shared [] double *above = a == g->u ? us[k][up] : a == g->r ? rs[k][up] : vs[up];
	shared [] double *below = a == g->u ? us[k][down] : a == g->r ? rs[k][down] : vs[down];
	upc_memput(above, a + g->planes * n, n * sizeof *a);
	upc_memput(below + (g->planes + 1) * n, a + n, n * sizeof *a);
	upc_barrier;
}

static void gather(const struct mg_grid *g, double *a, int from, int count)
{
	long n = mg_plane(g);
	(void)from;
	upc_barrier;
	for (int t = 0; t < THREADS; t++)
		if (t != MYTHREAD)
			upc_memget(a + (1 + t * count) * n, rs[g - grid][t] + (1 + t * count) * n, n * count * sizeof *a);
	upc_barrier; /* a whole grid changes without further ones */
}

static double *allocate(shared [] double *shared *where, const struct mg_grid *g)
{
	*where = upc_alloc(mg_bytes(g));
	memset((double *)*where, 0, mg_bytes(g));
	return (double *)*where;
}

int main(int argc, char **argv)
{
	char class = class_of(argc, argv);
	struct mg_class c = mg_class(class);
	mg_grids(grid, c.log, THREADS, MYTHREAD);
	for (int k = 1; k <= c.log; k++) {
		grid[k].u = allocate(&us[k][MYTHREAD], &grid[k]);
		grid[k].r = allocate(&rs[k][MYTHREAD], &grid[k]);
	}
	struct mg_grid *g = &grid[c.log];
	double *v = allocate(&vs[MYTHREAD], g);
	mg_charges(g, v);
	upc_barrier;
	ghosts(g, v);
	solve(c.log, 1, v);
	upc_barrier;
	double start = seconds();
	solve(c.log, c.times, v);
	squares[MYTHREAD] = mg_squares(g, g->r);
	upc_barrier;
	if (MYTHREAD == 0) {
		double all = 0;
		for (int t = 0; t < THREADS; t++)
			all += squares[t];
		double norm = sqrt(all / ((double)g->n * g->n * g->n));
		report("mg", class, THREADS, seconds() - start, close_to(norm, c.norm, 1e-8));
	}
	return 0;
}
