// Gaussian elimination with the rows dealt out to the ranks in turn. Rank 0 starts a wildcard receive for each row at
// the beginning. The owner of a row sends it there as soon as it is complete, and then to the next rank of the ring,
// which hands it on. Without buffering, no later row is complete before rank 0 has this one, so there is one order;
// with buffering, rank 0 may receive them in any order that keeps those of one rank in theirs.
#include "program.h"

// solve goes through the triangle from its last row upwards. The solution is 1 everywhere.
static int solve(const double *rows, int n, int w)
{
    double *x = calloc((size_t)n, sizeof(double));
    const double **sorted = calloc((size_t)n, sizeof(double *));
    int right = 1;
    for (int i = 0; i < n; i++)
        sorted[(int)rows[i * w + n + 1]] = rows + i * w;
    for (int i = n - 1; i >= 0 && right; i--) {
        right = sorted[i] != NULL;
        if (!right)
            break;
        x[i] = sorted[i][n];
        for (int j = i + 1; j < n; j++)
            x[i] -= sorted[i][j] * x[j];
        x[i] /= sorted[i][i];
        right = fabs(x[i] - 1) < 1e-9;
    }
    free(x);
    free(sorted);
    return right;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv, 2);
    int n = size + size / 2, w = n + 2, mine = 0, right = 1;
    double *a = calloc((size_t)(n * w), sizeof(double)), *pivot = calloc((size_t)w, sizeof(double)),
           *rows = calloc((size_t)(n * w), sizeof(double));
    MPI_Request *requests = calloc((size_t)n, sizeof(MPI_Request));
    MPI_Status *statuses = calloc((size_t)n, sizeof(MPI_Status));
    for (int i = 0; i < n && rank == 0; i++)
        MPI_Irecv(rows + i * w, w, MPI_DOUBLE, MPI_ANY_SOURCE, n, MPI_COMM_WORLD, &requests[i]);
    for (int i = rank; i < n; i += size, mine++) {
        for (int j = 0; j < n; j++)
            a[mine * w + j] = i == j ? n + 1 : 1;
        a[mine * w + n] = 2 * n;
        a[mine * w + n + 1] = i;
    }
    for (int k = 0; k < n; k++) {
        int owner = k % size;
        if (owner == rank) {
            memcpy(pivot, a + k / size * w, (size_t)w * sizeof(double));
            MPI_Send(pivot, w, MPI_DOUBLE, 0, n, MPI_COMM_WORLD);
        } else {
            MPI_Recv(pivot, w, MPI_DOUBLE, (rank + size - 1) % size, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if ((rank + 1) % size != owner)
            MPI_Send(pivot, w, MPI_DOUBLE, (rank + 1) % size, k, MPI_COMM_WORLD);
        for (int m = 0; m < mine; m++) { // the rows below lose column k
            double *row = a + m * w, f = row[k] / pivot[k];
            if (rank + m * size <= k)
                continue;
            for (int j = k; j <= n; j++)
                row[j] -= f * pivot[j];
        }
    }
    if (rank == 0) {
        MPI_Waitall(n, requests, statuses);
        right = solve(rows, n, w);
    }
    free(a);
    free(pivot);
    free(rows);
    free(requests);
    free(statuses);
    return end(right);
}
