/* reported: claudiopica/HiRep PR 2, ranks that miss a file end, the others wait for the time limit */
/* run: -n 3 */
#include <mpi.h>
#include <stdio.h>

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    int rank;
    double sum = 0, mine = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *config = rank == 1 ? fopen("/nonexistent/config", "r") : stdin;
    if (config == NULL) {
        fail("no configuration");
        return 1;
    }
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* want: deadlock: MPI_Finalize */
    MPI_Finalize();
    return 0;
}
