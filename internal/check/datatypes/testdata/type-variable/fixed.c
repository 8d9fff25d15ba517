/* Variables that are sent as what they are, as their bytes, or with other memory behind a cast. */
#include <complex.h>
#include <mpi.h>
#include <stddef.h>

struct point { double x, y, z; };

int main(int argc, char **argv)
{
    int rank;
    long total = 1;
    size_t size = 1;
    double field[8] = {0};
    struct point p = {0, 0, 0};
    double complex z = 0;
    void *any = field;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(&total, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
    MPI_Bcast(&total, sizeof total, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&p, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&z, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(any, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast((int *)any, 16, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
