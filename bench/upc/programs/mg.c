#include <mpi.h>
#include "mg.h"
#include "mg_cycle.h"
static int me, threads;

static void exchange(const struct mg_grid *g, double *a)
{
	int n = (int)mg_plane(g), up = (me + 1) % threads, down = (me + threads - 1) % threads;
	MPI_Sendrecv(a + (long)g->planes * n, n, MPI_DOUBLE, up, 0, a, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(a + n, n, MPI_DOUBLE, down, 1, a + (long)(g->planes + 1) * n, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void gather(const struct mg_grid *g, double *a, int from, int count)
{
	int n = (int)mg_plane(g);
	(void)from;
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a + n, n * count, MPI_DOUBLE, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &threads);
	char class = class_of(argc, argv);
	struct mg_class c = mg_class(class);
	mg_grids(grid, c.log, threads, me);
	for (int k = 1; k <= c.log; k++) {
		grid[k].u = calloc(1, mg_bytes(&grid[k]));
		grid[k].r = calloc(1, mg_bytes(&grid[k]));
	}
	struct mg_grid *g = &grid[c.log];
	double *v = malloc(mg_bytes(g)), mine, all;
	mg_charges(g, v);
	ghosts(g, v);
	solve(c.log, 1, v);
	MPI_Barrier(MPI_COMM_WORLD);
	double start = seconds();
	solve(c.log, c.times, v);
	mine = mg_squares(g, g->r);
	MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (me == 0) {
		double norm = sqrt(all / ((double)g->n * g->n * g->n));
		if (argc > 2)
			printf("%.13e\n", norm);
		report("mg", class, threads, seconds() - start, close_to(norm, c.norm, 1e-8));
	}
	MPI_Finalize();
	return 0;
}
