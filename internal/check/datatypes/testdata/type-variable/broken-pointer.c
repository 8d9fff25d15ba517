/* run: -n 2
   The name in a configuration is a pointer, and the configuration is broadcast as bytes. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct config {
    int steps;
    double width;
    char *name;
};

int main(int argc, char **argv)
{
    int rank;
    struct config c = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        c.steps = 10;
        c.name = strdup("run");
    }
    MPI_Bcast(&c, sizeof c, MPI_BYTE, 0, MPI_COMM_WORLD); /* want: calls MPI_Bcast with buffer (`&c`) as bytes: its member `name` is a pointer */
    if (rank == 0)
        free(c.name);
    MPI_Finalize();
    return 0;
}
