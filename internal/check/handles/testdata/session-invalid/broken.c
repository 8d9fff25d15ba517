/* only: mpich */
/* Only rank 0 makes a session, and all use it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sets;
    MPI_Session session = MPI_SESSION_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (rank == 0)
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets); /* want: Rank 1 calls MPI_Session_get_num_psets with session MPI_SESSION_NULL */
    if (rank == 0)
        MPI_Session_finalize(&session);
    MPI_Finalize();
    return 0;
}
