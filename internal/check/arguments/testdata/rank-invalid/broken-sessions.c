/* only: mpich */
/* Without MPI_Init: the communicator is made of a session's group, and the last rank has no right neighbour. */
#include <mpi.h>

int main(void)
{
    int rank, token = 0;
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "org.example.chain", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    int right = rank + 1, left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &token, 1, MPI_INT, left, 0, comm, MPI_STATUS_IGNORE); /* want: dest (`right`) 2, but communicator "org.example.chain" at broken-sessions.c:14 has 2 ranks (0 to 1) */
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
