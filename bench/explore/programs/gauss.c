// Gaussian elimination with the rows dealt out to the ranks in turn. For each column the owner of its row hands that on along
// the ring of ranks; the results are collected on rank 0 by wildcard receives, without any word in between.
#include "program.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv, 2);
    int n = size + size / 2, mine = 0;
    double *a = calloc((size_t)(n * (n + 1)), sizeof(double)), *pivot = calloc((size_t)n + 1, sizeof(double)),
           *x = calloc((size_t)n + 1, sizeof(double));
    for (int i = rank; i < n; i += size, mine++) {
        for (int j = 0; j < n; j++)
            a[mine * (n + 1) + j] = i == j ? n + 1 : 1;
        a[mine * (n + 1) + n] = 2 * n; // so that the solution is 1 everywhere
    }
    for (int k = 0; k < n; k++) {
        int owner = k % size;
        if (owner == rank)
            memcpy(pivot, a + k / size * (n + 1), (size_t)(n + 1) * sizeof(double));
        else
            MPI_Recv(pivot, n + 1, MPI_DOUBLE, (rank + size - 1) % size, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if ((rank + 1) % size != owner)
            MPI_Send(pivot, n + 1, MPI_DOUBLE, (rank + 1) % size, k, MPI_COMM_WORLD);
        for (int m = 0; m < mine; m++) { // Gauss and Jordan: the other rows lose column k
            double *row = a + m * (n + 1), f = row[k] / pivot[k];
            if (rank + m * size == k)
                continue;
            for (int j = k; j <= n; j++)
                row[j] -= f * pivot[j];
        }
    }
    int right = 1;
    for (int m = 0; m < mine; m++) {
        double value[2] = {rank + m * size, a[m * (n + 1) + n] / a[m * (n + 1) + rank + m * size]};
        if (rank == 0)
            x[rank + m * size] = value[1];
        else
            MPI_Send(value, 2, MPI_DOUBLE, 0, n, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        for (int i = mine; i < n; i++) {
            double value[2];
            MPI_Recv(value, 2, MPI_DOUBLE, MPI_ANY_SOURCE, n, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            x[(int)value[0]] = value[1];
        }
        for (int i = 0; i < n; i++)
            right = right && fabs(x[i] - 1) < 1e-9;
    }
    free(a);
    free(pivot);
    free(x);
    return end(right);
}
