// Conjugate gradients with a sparse matrix whose rows are split: each row has some numbers far from the diagonal, so
// that a rank gets parts of the vector from the windows of others (MPI_Get, between fences). Arguments: MiB of a
// rank's vector, solves.
#include "onesided.h"
#include <math.h>
#include <string.h>

enum { FAR = 6, MOST = 12 };

static int rank, size;
static size_t own, total, distance[FAR];
static double *p, *parts[FAR];
static MPI_Win win;

// Gets the vector's part that is so far behind the rank's own.
static void get(double *part, size_t far)
{
    for (size_t n = 0; n < own;) {
        size_t at = ((size_t)rank * own + far + n) % total, length = own - at % own;
        if (length > own - n)
            length = own - n;
        int count = (int)length, from = (int)(at / own);
        MPI_Get(part + n, count, MPI_DOUBLE, from, (MPI_Aint)(at % own), count, MPI_DOUBLE, win); // race
        n += length;
    }
}

static double sum(const double *a, const double *b)
{
    double mine = 0, all;
    for (size_t i = 0; i < own; i++)
        mine += a[i] * b[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

// q = A p: 7 on the diagonal, -1 at each distance.
static void multiply(double *q)
{
#ifndef LEFT_OUT
    MPI_Win_fence(0, win);
#endif
    for (int f = 0; f < FAR; f++)
        get(parts[f], distance[f]);
    MPI_Win_fence(0, win);
    for (size_t i = 0; i < own; i++) {
        double s = (FAR + 1) * p[i];
        for (int f = 0; f < FAR; f++)
            s -= parts[f][i];
        q[i] = s;
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int solves = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    own = doubles(argc > 1 ? argv[1] : "1", 64);
    total = own * (size_t)size;
    for (int f = 0; f < FAR; f += 2) { // symmetric: at each distance on both sides
        distance[f] = f == 0 ? 1 : total / (f == 2 ? 3 : 5) + 1;
        distance[f + 1] = total - distance[f];
    }
    double *x = workload_alloc(own, sizeof *x), *b = workload_alloc(own, sizeof *b);
    double *r = workload_alloc(own, sizeof *r), *q = workload_alloc(own, sizeof *q);
    for (int f = 0; f < FAR; f++)
        parts[f] = workload_alloc(own, sizeof *parts[f]);
    MPI_Win_allocate((MPI_Aint)(own * sizeof *p), sizeof *p, MPI_INFO_NULL, MPI_COMM_WORLD, &p, &win);
    for (size_t i = 0; i < own; i++)
        b[i] = (double)(((size_t)rank * own + i) * 2654435761u % 1000) / 1000 - 0.5;
    MPI_Win_fence(0, win);
    double begin = workload_begin();
    for (int s = 0; s < solves; s++) {
        memset(x, 0, own * sizeof *x);
        memcpy(r, b, own * sizeof *r);
        MPI_Win_fence(0, win);
        memcpy(p, b, own * sizeof *p);
        MPI_Win_fence(0, win);
        double now = sum(r, r);
        for (int i = 0; i < MOST; i++) {
            multiply(q);
            double a = now / sum(p, q), then = now;
            for (size_t k = 0; k < own; k++) {
                x[k] += a * p[k];
                r[k] -= a * q[k];
            }
            now = sum(r, r);
            for (size_t k = 0; k < own; k++)
                p[k] = r[k] + now / then * p[k]; // race
        }
    }
    workload_end(begin);
    // The residual anew.
    MPI_Win_fence(0, win);
    memcpy(p, x, own * sizeof *p);
    MPI_Win_fence(0, win);
    multiply(q);
    for (size_t i = 0; i < own; i++)
        r[i] = b[i] - q[i];
    double left = sqrt(sum(r, r) / sum(b, b));
    workload_check(right(left < 0.02), "the residual is too large");
    MPI_Win_free(&win);
    for (int f = 0; f < FAR; f++)
        free(parts[f]);
    free(x);
    free(b);
    free(r);
    free(q);
    MPI_Finalize();
}
