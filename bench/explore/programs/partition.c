// A graph is divided into four parts of one size by diffusion: heat that starts at random places settles into the
// slowest way in which the graph can be out of balance, and its median divides the graph where few edges are; both
// halves are divided again in the same way. Rows of vertices are dealt out in blocks. All receives name their source:
// there is nothing to choose in some 55,000 calls of 4 ranks.
#include "program.h"

enum { ROWS = 32, COLUMNS = 20, VERTICES = ROWS * COLUMNS, STEPS = 1340, MOST = 60, UP = 1, DOWN };

static int first, last, part[(ROWS + 2) * COLUMNS]; // rows of this rank, and parts of them and those around
static double heat[(ROWS + 2) * COLUMNS];           // row r of this rank is row r - first + 1

static unsigned mix(unsigned x)
{
    x ^= x >> 16, x *= 0x7feb352dU, x ^= x >> 15, x *= 0x846ca68bU;
    return x ^ x >> 16;
}

// joined says whether the graph has an edge: all of a grid, and half of the diagonals of one direction.
static int joined(int row, int column, int row2, int column2)
{
    if (row2 < 0 || row2 >= ROWS || column2 < 0 || column2 >= COLUMNS)
        return 0;
    if (row == row2 || column == column2)
        return 1;
    return (row2 - row) * (column2 - column) == 1 &&
           mix((unsigned)((row < row2 ? row : row2) * COLUMNS + (row < row2 ? column : column2))) % 2 == 0;
}

static int at(int row, int column)
{
    return (row - first + 1) * COLUMNS + column;
}

// exchange tells the neighbours what stands in the outer rows.
static void exchange(void *values, MPI_Datatype type, size_t width)
{
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, n = 0;
    char *base = values;
    size_t row = COLUMNS * width;
    MPI_Request requests[4];
    MPI_Status statuses[4];
    if (up != MPI_PROC_NULL) {
        MPI_Irecv(base, COLUMNS, type, up, DOWN, MPI_COMM_WORLD, &requests[n++]);
        MPI_Isend(base + row, COLUMNS, type, up, UP, MPI_COMM_WORLD, &requests[n++]);
    }
    if (down != MPI_PROC_NULL) {
        MPI_Irecv(base + (size_t)(last - first + 1) * row, COLUMNS, type, down, UP, MPI_COMM_WORLD, &requests[n++]);
        MPI_Isend(base + (size_t)(last - first) * row, COLUMNS, type, down, DOWN, MPI_COMM_WORLD, &requests[n++]);
    }
    MPI_Waitall(n, requests, statuses);
}

// settle lets heat flow inside of each of so many parts, which keep none on average.
static void settle(int parts, int steps)
{
    static double next[(ROWS + 2) * COLUMNS];
    for (int n = 0; n < steps; n++) {
        double sums[2][3] = {{0}}, all[2][3];
        exchange(heat, MPI_DOUBLE, sizeof(double));
        for (int r = first; r < last; r++)
            for (int c = 0; c < COLUMNS; c++) {
                double here = heat[at(r, c)], flow = 0;
                int p = part[at(r, c)];
                for (int dr = -1; dr <= 1; dr++)
                    for (int dc = -1; dc <= 1; dc++)
                        if ((dr != 0 || dc != 0) && joined(r, c, r + dr, c + dc) && part[at(r + dr, c + dc)] == p)
                            flow += heat[at(r + dr, c + dc)] - here;
                next[at(r, c)] = here + 0.12 * flow;
                sums[p][0] += next[at(r, c)];
                sums[p][1] += next[at(r, c)] * next[at(r, c)];
                sums[p][2] += 1;
            }
        MPI_Allreduce(sums, all, 3 * parts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int r = first; r < last; r++)
            for (int c = 0; c < COLUMNS; c++) {
                double *of = all[part[at(r, c)]], mean = of[0] / of[2];
                heat[at(r, c)] = (next[at(r, c)] - mean) / sqrt(of[1] / of[2] - mean * mean);
            }
    }
}

// halve divides each of so many parts where half of its vertices are colder.
static void halve(int parts)
{
    double low[2] = {-20, -20}, high[2] = {20, 20};
    for (int n = 0; n < MOST; n++) {
        int counts[2][2] = {{0}}, all[2][2];
        for (int r = first; r < last; r++)
            for (int c = 0; c < COLUMNS; c++) {
                int p = part[at(r, c)];
                counts[p][0] += heat[at(r, c)] < (low[p] + high[p]) / 2;
                counts[p][1]++;
            }
        MPI_Allreduce(counts, all, 2 * parts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        for (int p = 0; p < parts; p++)
            *(2 * all[p][0] > all[p][1] ? &high[p] : &low[p]) = (low[p] + high[p]) / 2;
    }
    for (int r = first; r < last; r++)
        for (int c = 0; c < COLUMNS; c++) {
            int p = part[at(r, c)];
            part[at(r, c)] = 2 * p + (heat[at(r, c)] >= (low[p] + high[p]) / 2);
        }
    exchange(part, MPI_INT, sizeof(int));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv, 2);
    if (size > ROWS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    first = ROWS * rank / size, last = ROWS * (rank + 1) / size;
    for (int parts = 1; parts <= 2; parts *= 2) {
        for (int r = first; r < last; r++)
            for (int c = 0; c < COLUMNS; c++)
                heat[at(r, c)] = mix((unsigned)(r * COLUMNS + c + 7)) / 4294967296.0 - 0.5;
        settle(parts, STEPS);
        halve(parts);
    }
    int mine[6] = {0}, sum[6]; // vertices of each part, edges between parts, edges
    for (int r = first; r < last; r++)
        for (int c = 0; c < COLUMNS; c++) {
            mine[part[at(r, c)]]++;
            for (int dr = 0; dr <= 1; dr++)
                for (int dc = 0; dc <= 1; dc++)
                    if ((dr != 0 || dc != 0) && joined(r, c, r + dr, c + dc)) {
                        mine[4] += part[at(r, c)] != part[at(r + dr, c + dc)];
                        mine[5]++;
                    }
        }
    MPI_Reduce(mine, sum, 6, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    int right = 1;
    if (rank == 0) {
        for (int p = 0; p < 4; p++)
            right = right && abs(sum[p] - VERTICES / 4) <= 1;
        right = right && 10 * sum[4] < sum[5];
        printf("parts of %d, %d, %d and %d vertices, %d of %d edges cut\n", sum[0], sum[1], sum[2], sum[3], sum[4],
               sum[5]);
    }
    return end(right);
}
