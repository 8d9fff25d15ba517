/* run: -n 2 --check=portability */
/* The displacements count elements from the beginning of a large array: twice the problem is no int any more. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static int all[2];
    int rank, mine = 1, counts[2] = {1, 0}, displs[2] = {0, 1073741824};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gatherv(&mine, rank == 0, MPI_INT, all, counts, displs, MPI_INT, 0, MPI_COMM_WORLD); /* want: Rank 0 calls MPI_Gatherv with displs[1] 1073741824: close to the greatest int */
    MPI_Finalize();
    return 0;
}
