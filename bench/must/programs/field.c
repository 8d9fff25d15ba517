// A stencil in three dimensions, as in codes for flows: the diffusion of FIELDS quantities on a periodic grid that is
// split into blocks. Each step exchanges six faces, and finds the largest change of all ranks. The beginning is an
// eigenvector, so the result is known. Argument: steps.
#include "workload.h"
#include <math.h>

enum { DIMS = 3, EDGE = 20, WIDE = EDGE + 2, CELLS = WIDE * WIDE * WIDE, FIELDS = 4, FACE = FIELDS * EDGE * EDGE };

static const double pi = 3.14159265358979323846, rate[FIELDS] = {0.16, 0.12, 0.08, 0.04};
static MPI_Comm grid;
static int dims[DIMS], where[DIMS];
static double *field[FIELDS], *next[FIELDS];

static int at(const int c[DIMS])
{
    return (c[0] * WIDE + c[1]) * WIDE + c[2];
}

// Copies the cells with coordinate "layer" in a dimension to a buffer, or back.
static void face(int d, int layer, double *buffer, int back)
{
    int c[DIMS], a = (d + 1) % DIMS, b = (d + 2) % DIMS;
    c[d] = layer;
    for (int f = 0; f < FIELDS; f++)
        for (c[a] = 1; c[a] <= EDGE; c[a]++)
            for (c[b] = 1; c[b] <= EDGE; c[b]++) {
                if (back)
                    field[f][at(c)] = *buffer++;
                else
                    *buffer++ = field[f][at(c)];
            }
}

static void exchange(void)
{
    static double out[DIMS][2][FACE], in[DIMS][2][FACE];
    MPI_Request requests[4 * DIMS];
    MPI_Status done[4 * DIMS];
    int n = 0;
    for (int d = 0; d < DIMS; d++) {
        int low, high;
        MPI_Cart_shift(grid, d, 1, &low, &high);
        MPI_Irecv(in[d][0], FACE, MPI_DOUBLE, low, 2 * d, grid, &requests[n++]);
        MPI_Irecv(in[d][1], FACE, MPI_DOUBLE, high, 2 * d + 1, grid, &requests[n++]);
        face(d, EDGE, out[d][0], 0);
        face(d, 1, out[d][1], 0);
        MPI_Isend(out[d][0], FACE, MPI_DOUBLE, high, 2 * d, grid, &requests[n++]);
        MPI_Isend(out[d][1], FACE, MPI_DOUBLE, low, 2 * d + 1, grid, &requests[n++]);
    }
    MPI_Waitall(n, requests, done);
    for (int d = 0; d < DIMS; d++) {
        face(d, 0, in[d][0], 1);
        face(d, EDGE + 1, in[d][1], 1);
    }
}

static double step(void)
{
    double change = 0;
    for (int f = 0; f < FIELDS; f++) {
        const double *u = field[f];
        double *v = next[f];
        for (int x = 1; x <= EDGE; x++)
            for (int y = 1; y <= EDGE; y++)
                for (int z = 1; z <= EDGE; z++) {
                    int k = (x * WIDE + y) * WIDE + z;
                    double flat = u[k - 1] + u[k + 1] + u[k - WIDE] + u[k + WIDE];
                    v[k] = u[k] + rate[f] * (flat + u[k - WIDE * WIDE] + u[k + WIDE * WIDE] - 6 * u[k]);
                    change = fmax(change, fabs(v[k] - u[k]));
                }
        field[f] = v;
        next[f] = (double *)u;
    }
    return change;
}

static double sine(int d, int i)
{
    return sin(2 * pi * (where[d] * EDGE + i) / (dims[d] * EDGE));
}

// The largest difference to the beginning times "factor" of each field.
static double compare(const double factor[FIELDS], int set)
{
    double most = 0;
    for (int f = 0; f < FIELDS; f++)
        for (int x = 1; x <= EDGE; x++)
            for (int y = 1; y <= EDGE; y++)
                for (int z = 1; z <= EDGE; z++) {
                    double *u = &field[f][(x * WIDE + y) * WIDE + z];
                    double want = factor[f] * sine(0, x) * sine(1, y) * sine(2, z);
                    if (set)
                        *u = want;
                    most = fmax(most, fabs(*u - want));
                }
    return most;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int steps = argc > 1 ? atoi(argv[1]) : 100, size, rank, periodic[DIMS] = {1, 1, 1};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, DIMS, dims);
    MPI_Cart_create(MPI_COMM_WORLD, DIMS, dims, periodic, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, DIMS, where);
    double factor[FIELDS], change, all = 0;
    for (int f = 0; f < FIELDS; f++) {
        field[f] = workload_alloc(CELLS, sizeof(double));
        next[f] = workload_alloc(CELLS, sizeof(double));
        factor[f] = 1;
    }
    compare(factor, 1);
    double begin = workload_begin();
    for (int s = 0; s < steps; s++) {
        exchange();
        change = step();
        MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_MAX, grid);
    }
    workload_end(begin);
    for (int f = 0; f < FIELDS; f++) {
        double sum = 0;
        for (int d = 0; d < DIMS; d++)
            sum += 2 * cos(2 * pi / (dims[d] * EDGE)) - 2;
        factor[f] = pow(1 + rate[f] * sum, steps);
    }
    workload_check(compare(factor, 0) < 1e-9 && all < 1, "the eigenvector has not decayed as it must");
    for (int f = 0; f < FIELDS; f++) {
        free(field[f]);
        free(next[f]);
    }
    MPI_Comm_free(&grid);
    MPI_Finalize();
}
