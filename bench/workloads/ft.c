// Two-dimensional Fourier transforms of an N × N grid, split into rows: the transposition between the two directions is an
// MPI_Alltoall of the whole grid, as in FT kernels. Argument: pairs of a forward and a backward transform.
#include "workload.h"
#include <complex.h>
#include <math.h>

enum { N = 1024 };
typedef double complex number;
static int size, rows;
static number roots[N / 2];
static number *packed, *moved;

// Transforms one row in place, by radix 2 with bits reversed first.
static void transform(number *v, int backward)
{
    for (int i = 1, j = 0; i < N; i++) {
        int bit = N / 2;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            number t = v[i];
            v[i] = v[j];
            v[j] = t;
        }
    }
    for (int half = 1; half < N; half *= 2)
        for (int i = 0; i < N; i += 2 * half)
            for (int k = 0; k < half; k++) {
                number w = roots[k * (N / 2 / half)];
                number t = v[i + k + half] * (backward ? conj(w) : w);
                v[i + k + half] = v[i + k] - t;
                v[i + k] += t;
            }
}

static void transpose(number *v)
{
    int block = rows * rows;
    for (int p = 0; p < size; p++)
        for (int j = 0; j < rows; j++)
            for (int i = 0; i < rows; i++)
                packed[p * block + j * rows + i] = v[i * N + p * rows + j];
    MPI_Alltoall(packed, 2 * block, MPI_DOUBLE, moved, 2 * block, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int p = 0; p < size; p++)
        for (int j = 0; j < rows; j++)
            for (int i = 0; i < rows; i++)
                v[j * N + p * rows + i] = moved[p * block + j * rows + i];
}

static void plane(number *v, int backward)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < rows; i++)
            transform(v + i * N, backward);
        transpose(v);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, pairs = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rows = N / size;
    for (int k = 0; k < N / 2; k++)
        roots[k] = cexp(-2 * M_PI * I * k / N);
    size_t cells = (size_t)rows * N;
    number *v = workload_alloc(cells, sizeof *v);
    packed = workload_alloc(cells, sizeof *packed);
    moved = workload_alloc(cells, sizeof *moved);
    for (size_t i = 0; i < cells; i++)
        v[i] = (double)((i + (size_t)rank * 77) % 1009);
    double begin = workload_begin();
    for (int it = 0; it < pairs; it++) {
        plane(v, 0);
        plane(v, 1);
        for (size_t i = 0; i < cells; i++)
            v[i] /= (double)N * N;
    }
    workload_end(begin);
    double worst = 0;
    for (size_t i = 0; i < cells; i++)
        worst = fmax(worst, cabs(v[i] - (double)((i + (size_t)rank * 77) % 1009)));
    workload_check(worst < 1e-6, "there and back again");
    MPI_Finalize();
}
