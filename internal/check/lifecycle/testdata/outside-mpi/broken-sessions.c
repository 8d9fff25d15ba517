/* only: mpich */
/* run: -n 1 */
/* Without MPI_Init: a communicator is used after the session that it was made of is no more. */
#include <mpi.h>

int main(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "org.example.late", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
    MPI_Comm_free(&comm); /* want: calls MPI_Comm_free although it has finalised its last session */
    return 0;
}
