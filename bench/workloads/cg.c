// Conjugate gradients on the five-point Laplacian of an N × N grid, split into rows: a halo exchange and two reductions of
// one number an iteration, as in the CG kernels of benchmark suites. Argument: iterations.
#include "workload.h"

enum { N = 1024 };
static int rank, size, rows;

static double dot(const double *a, const double *b)
{
    double mine = 0, all;
    for (int i = N; i < (rows + 1) * N; i++)
        mine += a[i] * b[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

// Fills row 0 and row rows+1 from the neighbours.
static void halo(double *v)
{
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Request r[4];
    MPI_Irecv(v, N, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(v + (rows + 1) * N, N, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(v + N, N, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(v + rows * N, N, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &r[3]);
    MPI_Status done[4];
    MPI_Waitall(4, r, done);
}

static void laplacian(double *out, double *v)
{
    halo(v);
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < N; j++) {
            int k = i * N + j;
            out[k] = 4 * v[k] - v[k - N] - v[k + N] - (j > 0 ? v[k - 1] : 0) - (j < N - 1 ? v[k + 1] : 0);
        }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int iterations = argc > 1 ? atoi(argv[1]) : 100;
    rows = N / size;
    size_t cells = (size_t)(rows + 2) * N;
    double *x = workload_alloc(cells, sizeof *x), *r = workload_alloc(cells, sizeof *r);
    double *p = workload_alloc(cells, sizeof *p), *q = workload_alloc(cells, sizeof *q);
    for (int i = N; i < (rows + 1) * N; i++)
        r[i] = p[i] = 1;
    double begin = workload_begin(), first = dot(r, r), rho = first;
    for (int it = 0; it < iterations; it++) {
        laplacian(q, p);
        double alpha = rho / dot(p, q);
        for (int i = N; i < (rows + 1) * N; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = dot(r, r), beta = next / rho;
        rho = next;
        for (int i = N; i < (rows + 1) * N; i++)
            p[i] = r[i] + beta * p[i];
    }
    workload_end(begin);
    laplacian(q, x); // b - A x must still be the residual that the recurrence says
    for (int i = N; i < (rows + 1) * N; i++)
        q[i] = 1 - q[i];
    double really = dot(q, q);
    workload_check(really < 1.001 * rho + 1e-9 * first && rho < 1.001 * really + 1e-9 * first, "the residual");
    MPI_Finalize();
}
