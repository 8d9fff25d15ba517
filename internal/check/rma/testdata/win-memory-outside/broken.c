/* The size is in bytes already, the offset is forgotten, and there is no memory at all. */
#include <mpi.h>
#include <stddef.h>

static double table[100];

int main(int argc, char **argv)
{
    MPI_Win whole, part, none;
    double *lost = NULL; /* of an allocation that failed */

    MPI_Init(&argc, &argv);
    MPI_Win_create(table, sizeof table * sizeof(double), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &whole); /* want: MPI_Win_create with base (`table`) in the variable `table` of 800 bytes and size (`sizeof table * sizeof(double)`) 6400: the window extends 5600 bytes beyond its end */
    MPI_Win_free(&whole);
    MPI_Win_create(table + 50, sizeof table, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &part); /* want: in the variable `table` of 800 bytes from byte 400 on and size (`sizeof table`) 800: the window extends 400 bytes beyond its end */
    MPI_Win_free(&part);
    MPI_Win_create(lost, 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &none); /* want: MPI_Win_create with base (`lost`) NULL, but size is 64 */
    MPI_Win_free(&none);
    MPI_Finalize();
    return 0;
}
