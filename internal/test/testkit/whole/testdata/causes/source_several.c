/* Two ranks have sent what would fit, as for later receives: nothing is said of either. */
/* code: deadlock */
/* sentence: Ranks 0 and 1 wait for each other:  */
/* without: nearest miss */
/* parting: 1 0 MPI_Comm_dup dup; 1 MPI_Barrier barrier; 0 MPI_Recv receive */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0, other;
    MPI_Comm halo;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &halo); /* dup */
    MPI_Comm_set_name(halo, "halo");
    other = rank ^ 1;
    if (rank >= 2)
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else if (rank == 0)
        for (int i = 1; i < 4; i++)
            MPI_Recv(&x, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* receive */
    MPI_Barrier(MPI_COMM_WORLD); /* barrier */
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
