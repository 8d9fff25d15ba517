/* run: -n 3 */
#include <mpi.h>

static int root_of(int rank) { return rank == 2; }

int main(int argc, char **argv)
{
    int rank, mine, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = rank;
    MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, root_of(rank), MPI_COMM_WORLD); /* want: collective-mismatch: root 1 */
    MPI_Finalize();
    return 0;
}
/* also: deadlock */
