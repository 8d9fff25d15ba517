/* Two messages nearly fit: which of them was meant is not known. */
/* code: deadlock */
/* sentence: Ranks 0 and 1 wait for each other:  */
/* note: nearest miss: rank 0 sent rank 1 a message at main (tag_several.c: */
/* note: but with tag 7, not tag 1 */
/* note: but with tag 8, not tag 1 */
/* hint: compare the tag */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0, other;
    MPI_Comm halo;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &halo);
    MPI_Comm_set_name(halo, "halo");
    other = rank ^ 1;
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        MPI_Send(&x, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
