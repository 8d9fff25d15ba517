/* run: -n 3
   The receive takes a message of any rank. That of rank 2 fits, that of rank 1 does not. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, part[32], data[40] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        for (int i = 1; i < 3; i++)
            MPI_Recv(part, 32, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: whose receive has room for 32 */ /* note: rank 0 died in this call: it was ended by its MPI library with MPI_ERR_TRUNCATE */
    else
        MPI_Send(data, rank == 1 ? 40 : 20, MPI_INT, 0, 7, MPI_COMM_WORLD); /* want: Rank 1 sends 40 × MPI_INT to rank 0 */
    MPI_Finalize();
    return 0;
}
