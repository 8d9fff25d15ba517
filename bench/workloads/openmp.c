// Kernels with OpenMP in two threads, and a sum over all ranks after each step. Arguments: "triad", "stencil", "sparse"
// (the product of a sparse matrix and a vector) or "tasks" (Fibonacci numbers); steps.
#include "workload.h"
#include <string.h>

enum { N = 1000000, NONZERO = 5, THREADS = 2, FIB = 27, ALONE = 12 };

static double *a, *b, *c;
static int *columns;

static void triad(void)
{
#pragma omp parallel for num_threads(THREADS)
    for (int i = 0; i < N; i++)
        a[i] = b[i] + 2.5 * c[i];
}

static void stencil(void)
{
#pragma omp parallel for num_threads(THREADS)
    for (int i = 1; i < N - 1; i++)
        a[i] = 0.25 * (b[i - 1] + 2 * b[i] + b[i + 1]);
    double *old = a;
    a = b;
    b = old;
}

static void sparse(void)
{
#pragma omp parallel for num_threads(THREADS) schedule(dynamic, 256)
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = 0; k < NONZERO; k++)
            sum += b[columns[NONZERO * i + k]];
        a[i] = sum;
    }
}

static long fibonacci(int n)
{
    if (n < 2)
        return n;
    if (n < ALONE)
        return fibonacci(n - 1) + fibonacci(n - 2);
    long one, other;
#pragma omp task shared(one)
    one = fibonacci(n - 1);
    other = fibonacci(n - 2);
#pragma omp taskwait
    return one + other;
}

static void tasks(void)
{
    long number = 0;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    number = fibonacci(FIB);
    workload_check(number == 196418, "the Fibonacci number");
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    const char *kernel = argc > 1 ? argv[1] : "triad";
    const long steps = argc > 2 ? atol(argv[2]) : 1;
    void (*step)(void) = strcmp(kernel, "stencil") == 0  ? stencil
                         : strcmp(kernel, "sparse") == 0 ? sparse
                         : strcmp(kernel, "tasks") == 0  ? tasks
                                                         : triad;
    a = workload_alloc(N, sizeof *a);
    b = workload_alloc(N, sizeof *b);
    c = workload_alloc(N, sizeof *c);
    columns = workload_alloc((size_t)NONZERO * N, sizeof *columns);
    for (int i = 0; i < NONZERO * N; i++)
        columns[i] = (int)((long)i * 7919 % N);
    double mine = 1, all = 0, begin = workload_begin();
    for (long i = 0; i < steps; i++) {
        step();
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    workload_end(begin);
    free(a);
    free(b);
    free(c);
    free(columns);
    MPI_Finalize();
}
