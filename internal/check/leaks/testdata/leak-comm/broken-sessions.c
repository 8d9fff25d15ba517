/* only: mpich */
/* Without MPI_Init: a session is finalised, a copy of its communicator is not freed. */
#include <mpi.h>

int main(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm, copy;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "org.example.leak", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    MPI_Comm_dup(comm, &copy); /* want: ends with 1 communicator of this MPI_Comm_dup not freed */
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
