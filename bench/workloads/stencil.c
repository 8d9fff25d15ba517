// Jacobi steps on a grid that is split into blocks, eight ranks wide: halos of four neighbours, and every 10th step the norm of the change.
// Argument: steps.
#include "workload.h"
#include <math.h>

enum { BLOCK = 128, EDGE = BLOCK + 2 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    long steps = argc > 1 ? atol(argv[1]) : 100;
    int size, rank, dims[2] = {0, 8}, periods[2] = {0, 0}, up, down, left, right;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size % 8)
        dims[1] = 1;
    MPI_Dims_create(size, 2, dims);
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);
    MPI_Datatype column;
    MPI_Type_vector(BLOCK, 1, EDGE, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    double *u = workload_alloc(EDGE * EDGE, sizeof *u), *v = workload_alloc(EDGE * EDGE, sizeof *v), all = 0;
    u[EDGE + 1] = v[EDGE + 1] = rank + 1;
    double begin = workload_begin();
    for (long i = 1; i <= steps; i++) {
        MPI_Request r[8];
        MPI_Status done[8]; // as gcc holds MPICH's MPI_STATUSES_IGNORE to be an array
        MPI_Irecv(u + 1, BLOCK, MPI_DOUBLE, up, 0, grid, &r[0]);
        MPI_Irecv(u + (BLOCK + 1) * EDGE + 1, BLOCK, MPI_DOUBLE, down, 1, grid, &r[1]);
        MPI_Irecv(u + EDGE, 1, column, left, 2, grid, &r[2]);
        MPI_Irecv(u + EDGE + BLOCK + 1, 1, column, right, 3, grid, &r[3]);
        MPI_Isend(u + BLOCK * EDGE + 1, BLOCK, MPI_DOUBLE, down, 0, grid, &r[4]);
        MPI_Isend(u + EDGE + 1, BLOCK, MPI_DOUBLE, up, 1, grid, &r[5]);
        MPI_Isend(u + EDGE + BLOCK, 1, column, right, 2, grid, &r[6]);
        MPI_Isend(u + EDGE + 1, 1, column, left, 3, grid, &r[7]);
        MPI_Waitall(8, r, done);
        double change = 0;
        for (int y = 1; y <= BLOCK; y++)
            for (int x = 1; x <= BLOCK; x++) {
                int k = y * EDGE + x;
                v[k] = 0.25 * (u[k - 1] + u[k + 1] + u[k - EDGE] + u[k + EDGE]);
                change += fabs(v[k] - u[k]);
            }
        double *t = u;
        u = v;
        v = t;
        if (i % 10 == 0)
            MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, grid);
    }
    workload_end(begin);
    workload_check(steps < 10 || (all > 0 && isfinite(all)), "the norm of the change");
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    MPI_Finalize();
}
