/* Sums, maxima and broadcasts by the BLACS of ScaLAPACK in all topologies: among others those whose answer is received into the
   buffer that is sent from. */
#include <mpi.h>
#include <stdio.h>

void Cblacs_pinfo(int *rank, int *size);
void Cblacs_get(int grid, int what, int *value);
void Cblacs_gridinit(int *grid, const char *order, int rows, int columns);
void Cblacs_gridinfo(int grid, int *rows, int *columns, int *row, int *column);
void Cblacs_gridexit(int grid);
void Cblacs_exit(int more);
void Cdgsum2d(int grid, const char *scope, const char *topology, int m, int n, double *a, int lda, int row, int column);
void Cdgamx2d(int grid, const char *scope, const char *topology, int m, int n, double *a, int lda, int *rows, int *columns, int ldia, int row, int column);
void Cdgebs2d(int grid, const char *scope, const char *topology, int m, int n, double *a, int lda);
void Cdgebr2d(int grid, const char *scope, const char *topology, int m, int n, double *a, int lda, int row, int column);

int main(void)
{
    int rank, size, grid, rows = 2, columns, row, column, atrow[3], atcolumn[3];
    double total = 0;

    Cblacs_pinfo(&rank, &size);
    columns = size / rows;
    Cblacs_get(-1, 0, &grid);
    Cblacs_gridinit(&grid, "Row", rows, columns);
    Cblacs_gridinfo(grid, &rows, &columns, &row, &column);
    for (const char *t = " itsdmh23456789"; *t; t++) {
        const char topology[2] = {*t};
        double a[3] = {rank, 2 * rank, 1}, b[3] = {rank, -rank, 3};
        Cdgsum2d(grid, "All", topology, 3, 1, a, 3, -1, -1);
        Cdgsum2d(grid, "Row", topology, 3, 1, a, 3, row, 0);
        Cdgamx2d(grid, "All", topology, 3, 1, b, 3, atrow, atcolumn, 3, -1, -1);
        if (row == 0 && column == 0)
            Cdgebs2d(grid, "All", topology, 3, 1, a, 3);
        else
            Cdgebr2d(grid, "All", topology, 3, 1, a, 3, 0, 0);
        total += a[0] + a[1] + b[0];
    }
    if (rank == 0)
        printf("total %g\n", total);
    Cblacs_gridexit(grid);
    Cblacs_exit(0);
    return 0;
}
