/* NAS FT: a diffusion equation solved by three-dimensional Fourier transforms. The cube is u[z][y][x] with planes of z given to threads, or
   after an exchange v[y][x][z] with planes of y. */
#ifndef FT_H
#define FT_H
#include "common.h"
#define FT_MOST 20 /* steps */

typedef struct { double re, im; } complex_t;
struct ft_class { int nx, ny, nz, times; double sums[FT_MOST][2]; };

static struct ft_class ft_class(char class)
{
	struct ft_class s = { 64, 64, 64, 6, { { 5.546087004964e2, 4.845363331978e2 }, { 5.546385409189e2, 4.865304269511e2 },
		{ 5.546148406171e2, 4.883910722336e2 }, { 5.545423607415e2, 4.901273169046e2 }, { 5.544255039624e2, 4.917475857993e2 },
		{ 5.542683411902e2, 4.932597244941e2 } } };
	struct ft_class w = { 128, 128, 32, 6, { { 5.673612178944e2, 5.293246849175e2 }, { 5.631436885271e2, 5.282149986629e2 },
		{ 5.594024089970e2, 5.270996558037e2 }, { 5.560698047020e2, 5.260027904925e2 }, { 5.530898991250e2, 5.249400845633e2 },
		{ 5.504159734538e2, 5.239212247086e2 } } };
	struct ft_class a = { 256, 256, 128, 6, { { 5.046735008193e2, 5.114047905510e2 }, { 5.059412319734e2, 5.098809666433e2 },
		{ 5.069376896287e2, 5.098144042213e2 }, { 5.077892868474e2, 5.101336130759e2 }, { 5.085233095391e2, 5.104914655194e2 },
		{ 5.091487099959e2, 5.107917842803e2 } } };
	struct ft_class b = { 512, 256, 256, 20, { { 517.7643571579, 507.7803458597 }, { 515.4521291263, 508.8249431599 }, { 514.6409228649, 509.6208912659 },
		{ 514.2378756213, 510.1023387619 }, { 513.9626667737, 510.3976610617 }, { 513.7423460082, 510.5948019802 },
		{ 513.5547056878, 510.7404165783 }, { 513.3910925466, 510.8576573661 }, { 513.2470705390, 510.9577278523 },
		{ 513.1197729984, 511.0460304483 }, { 513.0070319283, 511.1252433800 }, { 512.9070537032, 511.1968077718 },
		{ 512.8182883502, 511.2616233064 }, { 512.7393733383, 511.3203605551 }, { 512.6691062020, 511.3735928093 },
		{ 512.6064276004, 511.4218460548 }, { 512.5504076570, 511.4656139760 }, { 512.5002331720, 511.5053595966 },
		{ 512.4551951846, 511.5415130407 }, { 512.4146770029, 511.5744692211 } } };
	return class == 'S' ? s : class == 'W' ? w : class == 'A' ? a : b;
}

/* The planes of one thread. */
struct ft_part { int nx, ny, nz, threads, me, zs, ys; complex_t *root; };

static void ft_part(struct ft_part *p, const struct ft_class *c, int threads, int me)
{
	int most = c->nx > c->ny ? c->nx : c->ny;
	*p = (struct ft_part){ c->nx, c->ny, c->nz, threads, me, c->nz / threads, c->ny / threads, NULL };
	if (c->nz > most)
		most = c->nz;
	p->root = malloc((size_t)most * sizeof *p->root);
	for (int k = 0; k < most; k++)
		p->root[k] = (complex_t){ cos(2 * M_PI * k / most), sin(2 * M_PI * k / most) };
}

/* One transform of n numbers in x with the help of y (Stockham); sign is 1 or -1. The result is in x. */
static void ft_line(const complex_t *root, int most, complex_t *x, complex_t *y, int n, int sign)
{
	complex_t *from = x, *to = y;
	for (int half = n / 2, stride = 1; half >= 1; half /= 2, stride *= 2) {
		for (int j = 0; j < half; j++) {
			complex_t w = root[(long)j * (most / n) * stride];
			w.im *= sign;
			const complex_t *restrict a = from + (long)stride * j, *restrict b = a + (long)stride * half;
			complex_t *restrict even = to + (long)stride * 2 * j, *restrict odd = even + stride;
			for (int k = 0; k < stride; k++) {
				double re = a[k].re - b[k].re, im = a[k].im - b[k].im;
				even[k].re = a[k].re + b[k].re;
				even[k].im = a[k].im + b[k].im;
				odd[k].re = w.re * re - w.im * im;
				odd[k].im = w.re * im + w.im * re;
			}
		}
		complex_t *swap = from;
		from = to;
		to = swap;
	}
	if (from != x)
		memcpy(x, from, (size_t)n * sizeof *x);
}

static int ft_most(const struct ft_part *p)
{
	int most = p->nx > p->ny ? p->nx : p->ny;
	return p->nz > most ? p->nz : most;
}

/* Transforms along x and y of planes u[z][y][x]. */
static void ft_planes(const struct ft_part *p, complex_t *u, int sign)
{
	int most = ft_most(p);
	complex_t line[1024], help[1024];
	for (int z = 0; z < p->zs; z++) {
		complex_t *plane = u + (long)z * p->ny * p->nx;
		for (int pass = 0; pass < 2; pass++) {
			/* x first forwards, y first backwards */
			if ((pass == 0) == (sign > 0))
				for (int y = 0; y < p->ny; y++)
					ft_line(p->root, most, plane + (long)y * p->nx, help, p->nx, sign);
			else
				for (int x = 0; x < p->nx; x++) {
					for (int y = 0; y < p->ny; y++)
						line[y] = plane[(long)y * p->nx + x];
					ft_line(p->root, most, line, help, p->ny, sign);
					for (int y = 0; y < p->ny; y++)
						plane[(long)y * p->nx + x] = line[y];
				}
		}
	}
}

/* Transforms along z of planes v[y][x][z]. */
static void ft_columns(const struct ft_part *p, complex_t *v, int sign)
{
	complex_t help[1024];
	for (long k = 0; k < (long)p->ys * p->nx; k++)
		ft_line(p->root, ft_most(p), v + k * p->nz, help, p->nz, sign);
}

/* Rows [y][x] of the thread's own y at one z, into v[y][x][z]; and back. */
static void ft_spread(const struct ft_part *p, const complex_t *rows, complex_t *v, int z)
{
	for (long k = 0; k < (long)p->ys * p->nx; k++)
		v[k * p->nz + z] = rows[k];
}

static void ft_collect(const struct ft_part *p, const complex_t *v, complex_t *rows, int z)
{
	for (long k = 0; k < (long)p->ys * p->nx; k++)
		rows[k] = v[k * p->nz + z];
}

static void ft_initial(const struct ft_part *p, complex_t *u)
{
	long plane = (long)p->nx * p->ny;
	uint64_t x = (314159265ULL * random_power(RANDOM_A, 2 * (uint64_t)plane * (uint64_t)(p->me * p->zs))) & RANDOM_MASK;
	for (long k = 0; k < plane * p->zs; k++) {
		u[k].re = next_random(&x, RANDOM_A);
		u[k].im = next_random(&x, RANDOM_A);
	}
}

static int ft_wave(int k, int n) { return (k + n / 2) % n - n / 2; }

/* The factors by which one step of time multiplies v. */
static void ft_factors(const struct ft_part *p, double *f)
{
	for (int y = 0; y < p->ys; y++)
		for (int x = 0; x < p->nx; x++)
			for (int z = 0; z < p->nz; z++) {
				double a = ft_wave(x, p->nx), b = ft_wave(y + p->me * p->ys, p->ny), c = ft_wave(z, p->nz);
				f[((long)y * p->nx + x) * p->nz + z] = exp(-4e-6 * M_PI * M_PI * (a * a + b * b + c * c));
			}
}

static void ft_evolve(const struct ft_part *p, complex_t *restrict v, complex_t *restrict w, const double *restrict f)
{
	for (long k = 0; k < (long)p->ys * p->nx * p->nz; k++) {
		v[k].re *= f[k];
		v[k].im *= f[k];
		w[k] = v[k];
	}
}

/* This thread's part of the checksum of u. */
static complex_t ft_sum(const struct ft_part *p, const complex_t *u)
{
	complex_t s = { 0, 0 };
	double total = (double)p->nx * p->ny * p->nz;
	for (int j = 1; j <= 1024; j++) {
		int x = j % p->nx, y = 3 * j % p->ny, z = 5 * j % p->nz - p->me * p->zs;
		if (z >= 0 && z < p->zs) {
			s.re += u[((long)z * p->ny + y) * p->nx + x].re / total;
			s.im += u[((long)z * p->ny + y) * p->nx + x].im / total;
		}
	}
	return s;
}

static int ft_verify(const struct ft_class *c, int k, complex_t s)
{
	return close_to(s.re, c->sums[k][0], 1e-10) && close_to(s.im, c->sums[k][1], 1e-10);
}
#endif
