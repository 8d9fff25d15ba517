/* NAS CG: the smallest eigenvalue of a sparse matrix by inverse iteration, whose systems are solved by conjugate gradients. Rows of
   the matrix are given to threads in equal parts. */
#ifndef CG_H
#define CG_H
#include "common.h"
#define CG_STEPS 25

struct cg_class { long n; int nonzero, iterations; double shift, zeta; };

static struct cg_class cg_class(char class)
{
	struct cg_class s = { 1400, 7, 15, 10, 8.5971775078648 }, w = { 7000, 8, 15, 12, 10.362595087124 }, a = { 14000, 11, 15, 20, 17.130235054029 };
	struct cg_class b = { 75000, 13, 75, 60, 22.712745482631 };
	return class == 'S' ? s : class == 'W' ? w : class == 'A' ? a : b;
}

/* A part of the matrix, by rows: those from first on. */
struct cg_matrix { long first, rows, *start; int *column; double *value; };

struct cg_entry { int row, column; double value; long order; };

static int cg_compare(const void *x, const void *y)
{
	const struct cg_entry *a = x, *b = y;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* A sparse random vector with `count` different places, and the diagonal one set to a half. */
static int cg_vector(long n, int count, long diagonal, uint64_t *seed, double *v, int *at)
{
	long power = 1;
	int k = 0, found = 0;
	while (power < n)
		power *= 2;
	while (k < count) {
		double value = next_random(seed, RANDOM_A);
		long place = (long)((double)power * next_random(seed, RANDOM_A));
		int seen = 0;
		for (int j = 0; j < k; j++)
			seen |= at[j] == place;
		if (place >= n || seen)
			continue;
		v[k] = value;
		at[k++] = (int)place;
	}
	for (int j = 0; j < k; j++)
		if (at[j] == diagonal) {
			v[j] = 0.5;
			found = 1;
		}
	if (!found) {
		v[k] = 0.5;
		at[k++] = (int)diagonal;
	}
	return k;
}

/* The sum of outer products of such vectors, and 0.1 - shift on the diagonal. */
static void cg_make(struct cg_matrix *m, const struct cg_class *c, long first, long end)
{
	uint64_t seed = 314159265;
	long room = 1024, used = 0;
	struct cg_entry *e = malloc((size_t)room * sizeof *e);
	double v[64], size = 1, ratio = pow(0.1, 1.0 / (double)c->n);
	int at[64];
	next_random(&seed, RANDOM_A);
	for (long i = 0; i < c->n; i++, size *= ratio) {
		int count = cg_vector(c->n, c->nonzero, i, &seed, v, at);
		for (int p = 0; p < count; p++)
			for (int q = 0; q < count; q++) {
				if (at[q] < first || at[q] >= end)
					continue;
				if (used == room)
					e = realloc(e, (size_t)(room *= 2) * sizeof *e);
				e[used] = (struct cg_entry){ at[q], at[p], v[q] * (size * v[p]), used };
				if (at[p] == at[q] && at[p] == i)
					e[used].value += 0.1 - c->shift;
				used++;
			}
	}
	qsort(e, (size_t)used, sizeof *e, cg_compare);
	m->first = first;
	m->rows = end - first;
	m->start = calloc((size_t)m->rows + 1, sizeof *m->start);
	m->column = malloc((size_t)used * sizeof *m->column);
	m->value = malloc((size_t)used * sizeof *m->value);
	long n = 0;
	for (long j = 0; j < used; j++) {
		if (j > 0 && e[j].row == e[j - 1].row && e[j].column == e[j - 1].column) {
			m->value[n - 1] += e[j].value;
			continue;
		}
		m->column[n] = e[j].column;
		m->value[n++] = e[j].value;
		m->start[e[j].row - first + 1] = n;
	}
	for (long r = 1; r <= m->rows; r++)
		if (m->start[r] < m->start[r - 1])
			m->start[r] = m->start[r - 1];
	free(e);
}

/* y = A x for the rows of a part. */
static void cg_multiply(const struct cg_matrix *m, const double *restrict x, double *restrict y)
{
	for (long r = 0; r < m->rows; r++) {
		double sum = 0;
		for (long k = m->start[r]; k < m->start[r + 1]; k++)
			sum += m->value[k] * x[m->column[k]];
		y[r] = sum;
	}
}

static double cg_dot(long n, const double *restrict x, const double *restrict y)
{
	double sum = 0;
	for (long i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}
#endif
