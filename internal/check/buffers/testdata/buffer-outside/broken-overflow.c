/* The fourth displacement does not fit an int. The call fails in the library or writes before the buffer, so the ranks end here. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, counts[4], displs[4];
    static char mine[8], all[64];

    MPI_Init(&argc, &argv); /* run: -n 4 */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; i++) {
        counts[i] = i == 3 ? 8 : 0;
        displs[i] = (int)(i * 900000000u);
    }
    char *field = rank == 0 ? malloc(8) : all;
    if (rank == 3)
        MPI_Gatherv(mine, 8, MPI_CHAR, field, counts, displs, MPI_CHAR, 0, MPI_COMM_WORLD);
    else
        MPI_Gatherv(mine, 0, MPI_CHAR, field, counts, displs, MPI_CHAR, 0, MPI_COMM_WORLD); /* want: MPI_Gatherv with displs in which element 3 is -1594967296: an int has overflowed, as 2700000000 does not fit */
    MPI_Finalize();
    return 0;
}
