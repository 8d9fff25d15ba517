/* only: mpich */
/* A session is made, asked for its process sets and finalised. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int sets;
    MPI_Session session;

    MPI_Init(&argc, &argv);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
    MPI_Session_finalize(&session);
    MPI_Finalize();
    return 0;
}
