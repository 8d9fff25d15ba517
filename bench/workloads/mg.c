// Multigrid V-cycles for the Poisson equation on a grid that is split into strips: halo exchanges on every level, of which
// the coarse ones are all latency, as in MG kernels. Argument: cycles.
#include "workload.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 1024, LEVELS = 7 };
static int rank, size, rows[LEVELS], width[LEVELS];
static double *u[LEVELS], *f[LEVELS], *r[LEVELS];

static size_t cells(int l) { return (size_t)(rows[l] + 2) * (size_t)(width[l] + 2); }

static void halo(int l, double *v)
{
    int w = width[l] + 2;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(v + w, w, MPI_DOUBLE, up, l, v + (rows[l] + 1) * w, w, MPI_DOUBLE, down, l, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(v + rows[l] * w, w, MPI_DOUBLE, down, l, v, w, MPI_DOUBLE, up, l, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Damped Jacobi steps; r serves as the new values.
static void smooth(int l, int steps)
{
    int w = width[l] + 2;
    while (steps-- > 0) {
        halo(l, u[l]);
        for (int i = 1; i <= rows[l]; i++)
            for (int j = 1; j <= width[l]; j++) {
                int k = i * w + j;
                r[l][k] = 0.2 * u[l][k] + 0.2 * (u[l][k - 1] + u[l][k + 1] + u[l][k - w] + u[l][k + w] + f[l][k]);
            }
        for (int i = 1; i <= rows[l]; i++)
            memcpy(u[l] + i * w + 1, r[l] + i * w + 1, (size_t)width[l] * sizeof(double));
    }
}

static void residual(int l)
{
    int w = width[l] + 2;
    halo(l, u[l]);
    for (int i = 1; i <= rows[l]; i++)
        for (int j = 1; j <= width[l]; j++) {
            int k = i * w + j;
            r[l][k] = f[l][k] - 4 * u[l][k] + u[l][k - 1] + u[l][k + 1] + u[l][k - w] + u[l][k + w];
        }
}

static void cycle(int l)
{
    smooth(l, l == LEVELS - 1 ? 60 : 3);
    if (l == LEVELS - 1)
        return;
    residual(l);
    int w = width[l] + 2, half = width[l + 1] + 2;
    memset(u[l + 1], 0, cells(l + 1) * sizeof(double));
    for (int i = 1; i <= rows[l + 1]; i++)
        for (int j = 1; j <= width[l + 1]; j++) {
            const double *at = r[l] + (2 * i - 1) * w + 2 * j - 1;
            f[l + 1][i * half + j] = at[0] + at[1] + at[w] + at[w + 1];
        }
    cycle(l + 1);
    for (int i = 1; i <= rows[l]; i++)
        for (int j = 1; j <= width[l]; j++)
            u[l][i * w + j] += 0.5 * u[l + 1][(i + 1) / 2 * half + (j + 1) / 2];
    smooth(l, 3);
}

static double norm(void)
{
    double mine = 0, all;
    int w = width[0] + 2;
    residual(0);
    for (int i = 1; i <= rows[0]; i++)
        for (int j = 1; j <= width[0]; j++)
            mine += r[0][i * w + j] * r[0][i * w + j];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sqrt(all);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int cycles = argc > 1 ? atoi(argv[1]) : 1;
    for (int l = 0; l < LEVELS; l++) {
        width[l] = WIDTH >> l;
        rows[l] = WIDTH / size >> l;
        u[l] = workload_alloc(cells(l), sizeof(double));
        f[l] = workload_alloc(cells(l), sizeof(double));
        r[l] = workload_alloc(cells(l), sizeof(double));
    }
    for (int i = 1; i <= rows[0]; i++)
        for (int j = 1; j <= width[0]; j++)
            f[0][i * (width[0] + 2) + j] = (i * 31 + j * 17 + rank) % 13 - 6;
    double first = norm(), begin = workload_begin(), last = first;
    for (int c = 0; c < cycles; c++) {
        cycle(0);
        last = norm();
    }
    workload_end(begin);
    workload_check(last < first, "the residual grows");
    MPI_Finalize();
}
