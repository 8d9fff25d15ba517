// All shortest paths of a small graph (Floyd and Warshall), rows dealt out to the ranks. In each step the owner of a row asks
// nobody: it sends the row to all others, and they take it by a wildcard receive with the step's tag.
#include "program.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv, 2);
    enum { FAR = 1000000 };
    int n = 2 * size, *d = calloc((size_t)(n * 2), sizeof(int)), *via = calloc((size_t)n, sizeof(int)), right = 1;
    for (int m = 0; m < 2; m++)
        for (int j = 0, i = rank + m * size; j < n; j++)
            d[m * n + j] = i == j ? 0 : (i + 1) % n == j ? 1 : FAR; // a ring, one way
    for (int k = 0; k < n; k++) {
        if (k % size == rank) {
            memcpy(via, d + k / size * n, (size_t)n * sizeof(int));
            for (int to = 0; to < size; to++)
                if (to != rank)
                    MPI_Send(via, n, MPI_INT, to, k, MPI_COMM_WORLD);
        } else {
            MPI_Recv(via, n, MPI_INT, MPI_ANY_SOURCE, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int m = 0; m < 2; m++)
            for (int j = 0; j < n; j++)
                if (d[m * n + k] + via[j] < d[m * n + j])
                    d[m * n + j] = d[m * n + k] + via[j];
    }
    for (int m = 0; m < 2; m++)
        for (int j = 0, i = rank + m * size; j < n; j++)
            right = right && d[m * n + j] == (j - i + n) % n;
    int all;
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    free(d);
    free(via);
    return end(rank != 0 || all);
}
