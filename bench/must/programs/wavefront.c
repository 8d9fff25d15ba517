// Sweeps as in solvers of NPB's LU: each cell needs its neighbours to the west, north and below, so that ranks compute
// plane after plane as soon as the small messages of two neighbours have come, and send on two (MPI_Send, MPI_Recv);
// then back from the other corner. Numbers are integers, and one rank computes all again for comparison. Argument:
// sweeps.
#include "workload.h"
#include <stdint.h>

enum { DIMS = 2, EDGE = 24, DEEP = 32 };

// A block of cells with a border, whose sides differ: that of a rank, and for comparison the whole.
typedef struct {
    int nx, ny;
    uint32_t *cells;
} block;

static MPI_Comm grid;
static int dims[DIMS], where[DIMS];

static uint32_t *cell(const block *b, int x, int y, int z)
{
    return &b->cells[((size_t)z * (size_t)(b->nx + 2) + (size_t)x) * (size_t)(b->ny + 2) + (size_t)y];
}

static block make(int nx, int ny)
{
    block b = {nx, ny, workload_alloc((size_t)(nx + 2) * (size_t)(ny + 2) * (DEEP + 2), sizeof *b.cells)};
    return b;
}

// Computes a plane, upwards or downwards.
static void plane(const block *b, int z, int up)
{
    int step = up ? -1 : 1;
    for (int i = 1; i <= b->nx; i++)
        for (int k = 1; k <= b->ny; k++) {
            int x = up ? i : b->nx + 1 - i, y = up ? k : b->ny + 1 - k;
            uint32_t around = *cell(b, x + step, y, z) + *cell(b, x, y + step, z) + *cell(b, x, y, z + step);
            *cell(b, x, y, z) = 3 * *cell(b, x, y, z) + around + 1;
        }
}

static void edge(const block *b, int z, int dim, int at, uint32_t *buffer, int back)
{
    for (int i = 1; i <= EDGE; i++) {
        uint32_t *c = dim == 0 ? cell(b, at, i, z) : cell(b, i, at, z);
        if (back)
            *c = *buffer++;
        else
            *buffer++ = *c;
    }
}

static void sweep(const block *b, int up)
{
    uint32_t line[EDGE];
    for (int i = 1; i <= DEEP; i++) {
        int z = up ? i : DEEP + 1 - i, before[DIMS], after[DIMS];
        for (int d = 0; d < DIMS; d++) {
            MPI_Cart_shift(grid, d, up ? 1 : -1, &before[d], &after[d]);
            MPI_Recv(line, EDGE, MPI_UINT32_T, before[d], d, grid, MPI_STATUS_IGNORE);
            if (before[d] != MPI_PROC_NULL)
                edge(b, z, d, up ? 0 : EDGE + 1, line, 1);
        }
        plane(b, z, up);
        for (int d = 0; d < DIMS; d++) {
            edge(b, z, d, up ? EDGE : 1, line, 0);
            MPI_Send(line, EDGE, MPI_UINT32_T, after[d], d, grid);
        }
    }
}

// A sum over the inner cells of a part of the whole, in which the place of each counts.
static uint32_t sum(const block *b, int west, int north)
{
    uint32_t s = 0;
    for (int z = 1; z <= DEEP; z++)
        for (int x = 1; x <= b->nx; x++)
            for (int y = 1; y <= b->ny; y++)
                s += *cell(b, x, y, z) * (uint32_t)(2 * ((west + x) * 1009 + (north + y) * 31 + z) + 1);
    return s;
}

// What a border keeps from one sweep would be another in the whole: it is 0 before each.
static void clear(const block *b)
{
    for (int z = 0; z <= DEEP + 1; z++)
        for (int x = 0; x <= b->nx + 1; x++)
            for (int y = 0; y <= b->ny + 1; y++)
                if (x == 0 || y == 0 || z == 0 || x > b->nx || y > b->ny || z > DEEP)
                    *cell(b, x, y, z) = 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int sweeps = argc > 1 ? atoi(argv[1]) : 10, size, rank, periodic[DIMS] = {0, 0};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, DIMS, dims);
    MPI_Cart_create(MPI_COMM_WORLD, DIMS, dims, periodic, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, DIMS, where);
    block mine = make(EDGE, EDGE);
    double begin = workload_begin();
    for (int s = 0; s < sweeps; s++) {
        clear(&mine);
        sweep(&mine, s % 2 == 0);
    }
    workload_end(begin);
    uint32_t part = sum(&mine, where[0] * EDGE, where[1] * EDGE), all = 0;
    MPI_Reduce(&part, &all, 1, MPI_UINT32_T, MPI_SUM, 0, grid);
    if (rank == 0) {
        block whole = make(dims[0] * EDGE, dims[1] * EDGE);
        for (int s = 0; s < sweeps; s++) {
            clear(&whole);
            for (int i = 1; i <= DEEP; i++)
                plane(&whole, s % 2 == 0 ? i : DEEP + 1 - i, s % 2 == 0);
        }
        workload_check(sum(&whole, 0, 0) == all, "the cells differ from those of one rank");
        free(whole.cells);
    }
    free(mine.cells);
    MPI_Comm_free(&grid);
    MPI_Finalize();
}
