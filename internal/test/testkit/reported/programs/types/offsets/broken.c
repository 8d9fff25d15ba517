/* reported: CGNS/CGNS PR 782, offsets are gathered with the library's integer type, which is another size than the variables */
/* run: -n 3 */
#include <mpi.h>
#include <stdio.h>

typedef int cgsize;
#define CGSIZE MPI_LONG

int main(int argc, char **argv)
{
    int rank;
    cgsize mine, all[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = 100 * rank;
    MPI_Allgather(&mine, 1, CGSIZE, all, 1, CGSIZE, MPI_COMM_WORLD); /* want: type-variable: `mine` is cgsize */
    if (rank == 0)
        printf("%d\n", (int)all[2]);
    MPI_Finalize();
    return 0;
}
/* also: buffer-outside */
