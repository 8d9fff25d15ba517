/* The cycle, whose exchanges of ghost planes and of coarse grids are those of the including program:
   exchange(level, a) after mg_wrap, gather(level, from, count): all planes of the whole grid r of a level, of which the thread has some. */
static struct mg_grid grid[MG_LEVELS];
static void exchange(const struct mg_grid *g, double *a);
static void gather(const struct mg_grid *g, double *a, int from, int count);

static void ghosts(const struct mg_grid *g, double *a)
{
	mg_wrap(g, a);
	if (g->split)
		exchange(g, a);
}

static void cycle(int top, const double *v)
{
	for (int k = top; k > 1; k--) {
		struct mg_grid *f = &grid[k], *c = &grid[k - 1];
		int from = f->split && !c->split ? f->first / 2 : 0, count = f->planes / 2;
		mg_restrict(f, f->r, c, c->r, from, count);
		if (f->split && !c->split)
			gather(c, c->r, from, count);
		ghosts(c, c->r);
	}
	memset(grid[1].u, 0, mg_bytes(&grid[1]));
	mg_smooth(&grid[1], grid[1].r, grid[1].u);
	ghosts(&grid[1], grid[1].u);
	for (int k = 2; k <= top; k++) {
		struct mg_grid *f = &grid[k], *c = &grid[k - 1];
		if (k < top) /* the planes between the ghosts, into which neighbours may be writing already */
			memset(f->u + mg_plane(f), 0, sizeof(double) * (size_t)mg_plane(f) * (size_t)f->planes);
		mg_interpolate(c, c->u, f, f->u, f->split && !c->split ? f->first / 2 : 0);
		ghosts(f, f->u);
		mg_residual(f, f->u, k < top ? f->r : v, f->r);
		ghosts(f, f->r);
		mg_smooth(f, f->r, f->u);
		ghosts(f, f->u);
	}
}

static void solve(int top, int times, const double *v)
{
	struct mg_grid *g = &grid[top];
	memset(g->u, 0, mg_bytes(g));
	mg_residual(g, g->u, v, g->r);
	ghosts(g, g->r);
	for (int k = 0; k < times; k++) {
		cycle(top, v);
		mg_residual(g, g->u, v, g->r);
		ghosts(g, g->r);
	}
}
