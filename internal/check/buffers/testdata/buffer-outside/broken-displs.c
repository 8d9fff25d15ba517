/* Displacements that lead out of the buffer, or have overflowed. */
#include <mpi.h>

static double all[8], parts[8];

int main(int argc, char **argv)
{
    int rank, sizes[2] = {4, 4}, before[2] = {-4, 0}, behind[2] = {4, 8};
    double mine[4] = {0};

    MPI_Init(&argc, &argv); /* run: -n 2 */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gatherv(mine, 4, MPI_DOUBLE, all, sizes, before, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* want: MPI_Gatherv with displs (`before`) by which block 0 of recvbuf (`all`) begins 32 bytes before the start of the variable `all` of 64 bytes */
    /* note: its displacement is -4, its data 4 × MPI_DOUBLE */
    MPI_Scatterv(parts, sizes, behind, MPI_DOUBLE, mine, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* want: MPI_Scatterv with displs (`behind`) by which block 1 of sendbuf (`parts`) ends 32 bytes beyond the end of the variable `parts` of 64 bytes */
    MPI_Finalize();
    return 0;
}
