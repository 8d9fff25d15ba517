/* The halo is used while it is still being received. */
#include <mpi.h>

enum { N = 64 };

static double field[N], halo[2];

static double step(int left, int right)
{
    MPI_Request r[4];
    double sum = 0;
    MPI_Irecv(&halo[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r[0]); /* want: MPI_Irecv with buf (`&halo[0]`) and reads that memory before the operation is completed */
    MPI_Irecv(&halo[1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(&field[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(&field[N - 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &r[3]);
    for (int i = 1; i < N - 1; i++)
        sum += field[i - 1] + field[i + 1];
    sum += halo[0] + field[1]; /* note: it is read at step (broken.c:18) */
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE); /* note: it was completed by MPI_Waitall at step (broken.c:19) */
    return sum + halo[1] + field[N - 2];
}

int main(int argc, char **argv)
{
    int rank, size;
    double sum;
    MPI_Init(&argc, &argv); /* by: unknot */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sum = step((rank + size - 1) % size, (rank + 1) % size);
    MPI_Finalize();
    return sum > 0;
}
