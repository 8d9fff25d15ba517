/* run: -n 3 */
#include <mpi.h>
#include <stdio.h>

typedef long cgsize;
#define CGSIZE MPI_LONG

int main(int argc, char **argv)
{
    int rank;
    cgsize mine, all[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = 100 * rank;
    MPI_Allgather(&mine, 1, CGSIZE, all, 1, CGSIZE, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", (int)all[2]);
    MPI_Finalize();
    return 0;
}
