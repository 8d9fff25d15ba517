// Tomography: the shadows that a picture of discs casts in many directions. Rank 0 hands out the directions, one at a
// time, to whoever is ready (a receive from any source); the others follow each ray through the picture in small
// steps. All shadows have the same area. Argument: directions.
#include "workload.h"
#include <math.h>
#include <string.h>

enum { RAYS = 192, STEPS = 384, DISCS = 12, READY = 1, TASK = 2 };

static const double pi = 3.14159265358979323846;
static double disc[DISCS][4]; // centre, radius, density

static double density(double x, double y)
{
    double sum = 0;
    for (int i = 0; i < DISCS; i++) {
        double dx = x - disc[i][0], dy = y - disc[i][1];
        if (dx * dx + dy * dy < disc[i][2] * disc[i][2])
            sum += disc[i][3];
    }
    return sum;
}

static void shadow(double angle, double out[RAYS])
{
    double c = cos(angle), s = sin(angle);
    for (int r = 0; r < RAYS; r++) {
        double side = 2 * (r + 0.5) / RAYS - 1, sum = 0;
        for (int k = 0; k < STEPS; k++) {
            double along = 2 * (k + 0.5) / STEPS - 1;
            sum += density(side * c - along * s, side * s + along * c);
        }
        out[r] = sum * 2 / STEPS;
    }
}

static double master(int directions, int size)
{
    double area = 0, worst = 0, got[RAYS + 1];
    for (int i = 0; i < DISCS; i++)
        area += pi * disc[i][2] * disc[i][2] * disc[i][3];
    int given = 0, idle = 0;
    while (idle < size - 1) {
        MPI_Status status;
        MPI_Recv(got, RAYS + 1, MPI_DOUBLE, MPI_ANY_SOURCE, READY, MPI_COMM_WORLD, &status);
        if (got[0] >= 0) {
            double sum = 0;
            for (int r = 0; r < RAYS; r++)
                sum += got[r + 1] * 2 / RAYS;
            worst = fmax(worst, fabs(sum - area) / area);
        }
        int task = given < directions ? given++ : -1;
        idle += task < 0;
        MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, TASK, MPI_COMM_WORLD);
    }
    return worst;
}

static void worker(int directions)
{
    double out[RAYS + 1] = {-1};
    for (;;) {
        int task;
        MPI_Send(out, RAYS + 1, MPI_DOUBLE, 0, READY, MPI_COMM_WORLD);
        MPI_Recv(&task, 1, MPI_INT, 0, TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (task < 0)
            return;
        out[0] = task;
        shadow(pi * task / directions, out + 1);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int directions = argc > 1 ? atoi(argv[1]) : 64, rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < DISCS; i++) {
        double turn = 2 * pi * i / DISCS;
        disc[i][0] = 0.6 * cos(turn);
        disc[i][1] = 0.6 * sin(turn);
        disc[i][2] = 0.1 + 0.02 * i;
        disc[i][3] = 1 + 0.1 * i;
    }
    double begin = workload_begin(), worst = 0;
    if (rank == 0)
        worst = master(directions, size);
    else
        worker(directions);
    workload_end(begin);
    workload_check(worst < 0.01, "a shadow has another area");
    MPI_Finalize();
}
