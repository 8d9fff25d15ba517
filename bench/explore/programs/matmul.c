// Product of two matrices by a master and workers: a row is a task, and who returns one gets the next. After the published
// description of FEVS' matmat; 5 rows, as its counts of interleavings imply.
#include "program.h"

enum { N = 5, STOP = 0 };

int main(int argc, char **argv)
{
    begin(&argc, &argv, 2);
    double a[N][N], b[N][N], c[N][N], row[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + 2 * j;
            b[i][j] = i == j ? 2 : 1;
        }
    MPI_Bcast(b, N * N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank != 0) {
        for (;;) {
            MPI_Status st;
            MPI_Recv(row, N, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
            if (st.MPI_TAG == STOP)
                return end(1);
            double out[N] = {0};
            for (int j = 0; j < N; j++)
                for (int k = 0; k < N; k++)
                    out[j] += row[k] * b[k][j];
            MPI_Send(out, N, MPI_DOUBLE, 0, st.MPI_TAG, MPI_COMM_WORLD);
        }
    }
    int next = 0, out = 0;
    for (int w = 1; w < size; w++) {
        int more = next < N;
        MPI_Send(more ? a[next] : row, more ? N : 0, MPI_DOUBLE, w, more ? next + 1 : STOP, MPI_COMM_WORLD);
        next += more;
        out += more;
    }
    while (out > 0) {
        MPI_Status st;
        MPI_Recv(row, N, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
        memcpy(c[st.MPI_TAG - 1], row, sizeof row);
        int more = next < N;
        MPI_Send(more ? a[next] : row, more ? N : 0, MPI_DOUBLE, st.MPI_SOURCE, more ? next + 1 : STOP, MPI_COMM_WORLD);
        next += more;
        out += more - 1;
    }
    int right = 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double want = a[i][j];
            for (int k = 0; k < N; k++)
                want += a[i][k];
            right = right && c[i][j] == want;
        }
    return end(right);
}
