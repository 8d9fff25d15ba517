/* only: mpich */
/* A copy of the handle is used after the session was finalised. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Session session, copy;

    MPI_Init(&argc, &argv);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    copy = session;
    MPI_Session_finalize(&session);
    MPI_Session_set_errhandler(copy, MPI_ERRORS_RETURN); /* want: calls MPI_Session_set_errhandler with session (`copy`) a session that has been finalised */
    MPI_Finalize();
    return 0;
}
