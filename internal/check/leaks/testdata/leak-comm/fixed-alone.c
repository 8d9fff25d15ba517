/* only: mpich */
/* run: -n 1 */
/* Without MPI_Init: all communicators of a session are freed. The process ends at once, without the functions that run at its exit. */
#include <mpi.h>
#include <unistd.h>

int main(void)
{
    MPI_Session session, other;
    MPI_Group group;
    MPI_Comm comm, copy;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other);
    for (int i = 0; i < 2; i++) {
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
        MPI_Group_from_session_pset(session, i == 0 ? "mpi://WORLD" : "mpi://SELF", &group);
        MPI_Comm_create_from_group(group, "org.example.leak", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
        MPI_Group_free(&group);
        MPI_Comm_dup(comm, &copy);
        MPI_Comm_free(&comm);
        MPI_Comm_free(&copy);
        MPI_Session_finalize(&session);
    }
    MPI_Session_finalize(&other);
    _exit(0);
}
