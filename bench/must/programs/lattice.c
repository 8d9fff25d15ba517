// What codes of lattice field theory do most: conjugate gradients on a periodic lattice in four dimensions, with a
// phase on each link. Each iteration exchanges eight faces and sums up twice over all ranks. The right side is made of
// a known solution, which must be found. Argument: solves.
#include "workload.h"
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { DIMS = 4, EDGE = 6, WIDE = EDGE + 2, SITES = WIDE * WIDE * WIDE * WIDE, FACE = EDGE * EDGE * EDGE, MOST = 400 };

static const double mass = 0.5;
static MPI_Comm grid;
static int dims[DIMS], where[DIMS], stride[DIMS], sites[EDGE * FACE];
static double complex *link[DIMS]; // link[d][s] leads from site s to the next one in dimension d

static double chance(uint64_t n)
{
    n += 0x9e3779b97f4a7c15u;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
    return (double)((n ^ (n >> 31)) >> 11) / 9007199254740992.0;
}

// The number of a site of the whole lattice, by its place in the rank's block.
static uint64_t number(const int c[DIMS])
{
    uint64_t n = 0;
    for (int d = 0; d < DIMS; d++) {
        int all = dims[d] * EDGE;
        n = n * (uint64_t)all + (uint64_t)((where[d] * EDGE + c[d] - 1 + all) % all);
    }
    return n;
}

static void face(int d, int layer, double complex *field, double complex *buffer, int back)
{
    int e[DIMS - 1], c[3];
    for (int i = 0, n = 0; i < DIMS; i++)
        if (i != d)
            e[n++] = stride[i];
    for (c[0] = 1; c[0] <= EDGE; c[0]++)
        for (c[1] = 1; c[1] <= EDGE; c[1]++)
            for (c[2] = 1; c[2] <= EDGE; c[2]++) {
                double complex *x = &field[layer * stride[d] + c[0] * e[0] + c[1] * e[1] + c[2] * e[2]];
                if (back)
                    *x = *buffer++;
                else
                    *buffer++ = *x;
            }
}

static void exchange(double complex *x)
{
    static double complex out[DIMS][2][FACE], in[DIMS][2][FACE];
    MPI_Request requests[4 * DIMS];
    MPI_Status done[4 * DIMS];
    int n = 0;
    for (int d = 0; d < DIMS; d++) {
        int low, high;
        MPI_Cart_shift(grid, d, 1, &low, &high);
        MPI_Irecv(in[d][0], FACE, MPI_C_DOUBLE_COMPLEX, low, 2 * d, grid, &requests[n++]);
        MPI_Irecv(in[d][1], FACE, MPI_C_DOUBLE_COMPLEX, high, 2 * d + 1, grid, &requests[n++]);
        face(d, EDGE, x, out[d][0], 0);
        face(d, 1, x, out[d][1], 0);
        MPI_Isend(out[d][0], FACE, MPI_C_DOUBLE_COMPLEX, high, 2 * d, grid, &requests[n++]);
        MPI_Isend(out[d][1], FACE, MPI_C_DOUBLE_COMPLEX, low, 2 * d + 1, grid, &requests[n++]);
    }
    MPI_Waitall(n, requests, done);
    for (int d = 0; d < DIMS; d++) {
        face(d, 0, x, in[d][0], 1);
        face(d, EDGE + 1, x, in[d][1], 1);
    }
}

// y = A x, where A is Hermitian and positive.
static void apply(double complex *x, double complex *y)
{
    exchange(x);
    for (int i = 0; i < EDGE * FACE; i++) {
        int s = sites[i];
        double complex sum = (2 * DIMS + mass) * x[s];
        for (int d = 0; d < DIMS; d++)
            sum -= link[d][s] * x[s + stride[d]] + conj(link[d][s - stride[d]]) * x[s - stride[d]];
        y[s] = sum;
    }
}

static double product(const double complex *x, const double complex *y)
{
    double mine = 0, all;
    for (int i = 0; i < EDGE * FACE; i++)
        mine += creal(conj(x[sites[i]]) * y[sites[i]]);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, grid);
    return all;
}

static void solve(const double complex *b, double complex *x)
{
    static double complex r[SITES], p[SITES], q[SITES];
    memset(x, 0, SITES * sizeof *x);
    memcpy(r, b, sizeof r);
    memcpy(p, b, sizeof p);
    double now = product(r, r), end = 1e-24 * now;
    for (int i = 0; i < MOST && now > end; i++) {
        apply(p, q);
        double a = now / product(p, q);
        for (int k = 0; k < EDGE * FACE; k++) {
            int s = sites[k];
            x[s] += a * p[s];
            r[s] -= a * q[s];
        }
        double then = now;
        now = product(r, r);
        for (int k = 0; k < EDGE * FACE; k++)
            p[sites[k]] = r[sites[k]] + now / then * p[sites[k]];
    }
}

static void prepare(double complex *known)
{
    int c[DIMS], n = 0;
    for (int d = DIMS - 1; d >= 0; d--)
        stride[d] = d == DIMS - 1 ? 1 : stride[d + 1] * WIDE;
    for (int d = 0; d < DIMS; d++)
        link[d] = workload_alloc(SITES, sizeof *link[d]);
    for (c[0] = 0; c[0] < WIDE; c[0]++)
        for (c[1] = 0; c[1] < WIDE; c[1]++)
            for (c[2] = 0; c[2] < WIDE; c[2]++)
                for (c[3] = 0; c[3] < WIDE; c[3]++) {
                    int s = 0, inside = 1;
                    for (int d = 0; d < DIMS; d++) {
                        s += c[d] * stride[d];
                        inside = inside && c[d] >= 1 && c[d] <= EDGE;
                    }
                    for (int d = 0; d < DIMS; d++)
                        link[d][s] = cexp(I * chance(number(c) * DIMS + (unsigned)d));
                    if (inside) {
                        sites[n++] = s;
                        known[s] = chance(number(c) + 77) + I * chance(number(c) + 7777777);
                    }
                }
}

int main(int argc, char **argv)
{
    static double complex known[SITES], b[SITES], x[SITES];
    MPI_Init(&argc, &argv);
    int solves = argc > 1 ? atoi(argv[1]) : 1, size, rank, periodic[DIMS] = {1, 1, 1, 1};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, DIMS, dims);
    MPI_Cart_create(MPI_COMM_WORLD, DIMS, dims, periodic, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, DIMS, where);
    prepare(known);
    apply(known, b);
    double begin = workload_begin();
    for (int i = 0; i < solves; i++)
        solve(b, x);
    workload_end(begin);
    double most = 0;
    for (int i = 0; i < EDGE * FACE; i++)
        most = fmax(most, cabs(x[sites[i]] - known[sites[i]]));
    workload_check(solves < 1 || most < 1e-9, "the solution is not the known one");
    for (int d = 0; d < DIMS; d++)
        free(link[d]);
    MPI_Comm_free(&grid);
    MPI_Finalize();
}
