/* only: mpich */
/* With MPI_Init and a session: what is sent on a communicator made of the session's group is received as another type. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 3;
    float x = 0;
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "org.example.library", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    if (rank == 0)
        MPI_Send(&n, 1, MPI_INT, 1, 0, comm);
    else
        MPI_Recv(&x, 1, MPI_FLOAT, 0, 0, comm, MPI_STATUS_IGNORE); /* want: MPI_FLOAT */
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    MPI_Finalize();
    return 0;
}
