/* run: -n 2 --check-memory */
/* The window, and what is attached to another one, is larger than what was allocated. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int *a, *b;
    MPI_Win win, dynamic;

    MPI_Init(&argc, &argv);
    a = malloc(10 * sizeof *a);
    b = malloc(100);
    MPI_Win_create(a, 20 * sizeof *a, sizeof *a, MPI_INFO_NULL, MPI_COMM_WORLD, &win); /* want: MPI_Win_create with base (`a`) in a heap block of 40 bytes and size (`20 * sizeof *a`) 80: the window extends 40 bytes beyond its end */
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
    MPI_Win_attach(dynamic, b, 101); /* want: MPI_Win_attach with base (`b`) in a heap block of 100 bytes and size 101: the window extends 1 byte beyond its end */
    MPI_Win_detach(dynamic, b);
    MPI_Win_free(&dynamic);
    MPI_Win_free(&win);
    free(a);
    free(b);
    MPI_Finalize();
    return 0;
}
