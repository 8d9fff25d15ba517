// Molecular dynamics: atoms that repel and attract each other (Lennard-Jones, cut off), in a periodic box that is
// split into blocks. In each step atoms move to the ranks of their places, and ranks get copies of the atoms near
// their blocks, one dimension after another. Arguments: steps, and "sendrecv" or "send": each rank sends to both
// neighbours before it receives, which works only as long as MPI buffers.
#include "workload.h"
#include <math.h>
#include <string.h>

enum { DIMS = 3, SIDE = 5, MOST = 8000, SLICE = 2500 };

typedef struct {
    double x[DIMS], v[DIMS], f[DIMS];
} atom;

static const double spacing = 1.1, reach = 2.5, dt = 0.002;
static MPI_Comm grid;
static int dims[DIMS], where[DIMS], own, all, unsafe;
static double low[DIMS], high[DIMS], box[DIMS];
static atom atoms[MOST];

// Passes atoms to the neighbour on one side ("up" or down), and receives those of the other one behind the last atom.
static void pass(int d, int up, const atom *out, int n)
{
    int from, to, got;
    MPI_Status status;
    MPI_Cart_shift(grid, d, up ? 1 : -1, &from, &to);
    int bytes = n * (int)sizeof *out, room = (MOST - all) * (int)sizeof *out;
    if (unsafe) { // the other rank is asked for no more than it has
        MPI_Send(&n, 1, MPI_INT, to, DIMS + d, grid);
        MPI_Recv(&n, 1, MPI_INT, from, DIMS + d, grid, MPI_STATUS_IGNORE);
        room = n * (int)sizeof *out;
    }
    MPI_Sendrecv(out, bytes, MPI_BYTE, to, d, &atoms[all], room, MPI_BYTE, from, d, grid, &status);
    MPI_Get_count(&status, MPI_BYTE, &got);
    all += got / (int)sizeof *out;
}

static int copy(atom *out, int n, const atom *a, int d, int up)
{
    workload_check(n < SLICE, "there is no room for so many atoms");
    out[n] = *a;
    if (up && where[d] == dims[d] - 1)
        out[n].x[d] -= box[d];
    else if (!up && where[d] == 0)
        out[n].x[d] += box[d];
    return n + 1;
}

// Atoms that have left the block go to the rank of their place.
static void migrate(void)
{
    static atom out[2][SLICE];
    all = own;
    for (int d = 0; d < DIMS; d++) {
        int n[2] = {0, 0}, kept = 0;
        for (int i = 0; i < all; i++) {
            int up = atoms[i].x[d] >= high[d];
            if (up || atoms[i].x[d] < low[d])
                n[up] = copy(out[up], n[up], &atoms[i], d, up);
            else
                atoms[kept++] = atoms[i];
        }
        all = kept;
        pass(d, 1, out[1], n[1]);
        pass(d, 0, out[0], n[0]);
    }
    own = all;
}

// Copies of the atoms near the block follow the rank's own.
static void surround(void)
{
    static atom out[2][SLICE];
    for (int d = 0; d < DIMS; d++) {
        int n[2] = {0, 0};
        for (int i = 0; i < all; i++) {
            if (atoms[i].x[d] >= high[d] - reach)
                n[1] = copy(out[1], n[1], &atoms[i], d, 1);
            if (atoms[i].x[d] < low[d] + reach)
                n[0] = copy(out[0], n[0], &atoms[i], d, 0);
        }
        pass(d, 1, out[1], n[1]);
        pass(d, 0, out[0], n[0]);
    }
}

// Gives the forces on the rank's own atoms, and returns their potential energy: half of that of each pair.
static double forces(void)
{
    double energy = 0, cut = pow(reach, -6), shift = 4 * (cut * cut - cut);
    for (int i = 0; i < own; i++) {
        atom *a = &atoms[i];
        a->f[0] = a->f[1] = a->f[2] = 0;
        for (int k = 0; k < all; k++) {
            double x = a->x[0] - atoms[k].x[0], y = a->x[1] - atoms[k].x[1], z = a->x[2] - atoms[k].x[2];
            double square = x * x + y * y + z * z;
            if (k == i || square >= reach * reach)
                continue;
            double near = 1 / (square * square * square), f = 24 * (2 * near * near - near) / square;
            a->f[0] += f * x;
            a->f[1] += f * y;
            a->f[2] += f * z;
            energy += 0.5 * (4 * (near * near - near) - shift);
        }
    }
    return energy;
}

// The momentum of all atoms, their energy and their number.
static void sums(double potential, double out[DIMS + 2])
{
    double mine[DIMS + 2] = {0, 0, 0, potential, own};
    for (int i = 0; i < own; i++)
        for (int d = 0; d < DIMS; d++) {
            mine[d] += atoms[i].v[d];
            mine[DIMS] += 0.5 * atoms[i].v[d] * atoms[i].v[d];
        }
    MPI_Allreduce(mine, out, DIMS + 2, MPI_DOUBLE, MPI_SUM, grid);
}

static void fill(void)
{
    unsigned seed = 12345;
    for (int d = 0; d < DIMS; d++) {
        low[d] = where[d] * SIDE * spacing;
        high[d] = (where[d] + 1) * SIDE * spacing;
        box[d] = dims[d] * SIDE * spacing;
    }
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        int c[DIMS] = {i / (SIDE * SIDE), i / SIDE % SIDE, i % SIDE};
        for (int d = 0; d < DIMS; d++) {
            atoms[i].x[d] = low[d] + (c[d] + 0.5) * spacing;
            seed = seed * 1664525u + 1013904223u;
            // One and the next one move in opposite directions, so that there is no momentum.
            atoms[i].v[d] = i % 2 ? -atoms[i - 1].v[d] : (double)(seed >> 8) / (1 << 24) * 2 - 1;
        }
    }
    own = SIDE * SIDE * SIDE;
    memset(atoms[own - 1].v, 0, sizeof atoms[own - 1].v);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int steps = argc > 1 ? atoi(argv[1]) : 50, size, rank, periodic[DIMS] = {1, 1, 1};
    unsafe = argc > 2 && strcmp(argv[2], "send") == 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, DIMS, dims);
    MPI_Cart_create(MPI_COMM_WORLD, DIMS, dims, periodic, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, DIMS, where);
    fill();
    all = own;
    surround();
    double first[DIMS + 2], last[DIMS + 2], potential = forces();
    sums(potential, first);
    double begin = workload_begin();
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < own; i++)
            for (int d = 0; d < DIMS; d++) {
                atoms[i].v[d] += 0.5 * dt * atoms[i].f[d];
                atoms[i].x[d] += dt * atoms[i].v[d];
            }
        migrate();
        surround();
        potential = forces();
        for (int i = 0; i < own; i++)
            for (int d = 0; d < DIMS; d++)
                atoms[i].v[d] += 0.5 * dt * atoms[i].f[d];
        if (s % 10 == 9)
            sums(potential, last);
    }
    workload_end(begin);
    sums(potential, last);
    double n = first[DIMS + 1], moved = fabs(last[0]) + fabs(last[1]) + fabs(last[2]);
    workload_check(fabs(last[DIMS + 1] - n) < 0.5, "atoms are lost");
    workload_check(moved < 1e-8 * n, "the momentum has changed");
    workload_check(fabs(last[DIMS] - first[DIMS]) < 0.01 * n, "the energy has changed");
    MPI_Comm_free(&grid);
    MPI_Finalize();
}
