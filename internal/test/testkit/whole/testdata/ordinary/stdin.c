/* Rank 0 reads how often all shall do it. */
/* STDIN */
#include "plain.h"

int main(int argc, char **argv)
{
    int n = 0;
    begin(&argc, &argv);
    if (rank == 0 && scanf("%d", &n) != 1)
        return 1;
    const double start = MPI_Wtime();
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        work(i);
    printf("%d times in %g s\n", n, MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
