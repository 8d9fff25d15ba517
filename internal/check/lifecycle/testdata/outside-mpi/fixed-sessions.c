/* only: mpich */
/* Without MPI_Init: everything is freed before the session is finalised, and what may be called at any time comes after it. Then with MPI_Init. */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    MPI_Session session, other;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Info info;
    int rank, flag;

    MPI_Info_create(&info);
    MPI_Session_init(info, MPI_ERRORS_RETURN, &other);
    for (int i = 0; i < 2; i++) {
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
        MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
        MPI_Comm_create_from_group(group, "org.example.early", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
        MPI_Group_free(&group);
        MPI_Barrier(comm);
        if (i == 1) {
            MPI_Init(NULL, NULL);
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
            MPI_Barrier(MPI_COMM_WORLD);
        }
        MPI_Comm_free(&comm);
        MPI_Session_finalize(&session);
    }
    MPI_Session_finalize(&other);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    MPI_Info_free(&info);
    MPI_Finalized(&flag);
    return 0;
}
