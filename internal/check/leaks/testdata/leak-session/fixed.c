/* only: mpich */
/* Each session is finalised. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Session session[2];

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 2; i++)
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session[i]);
    MPI_Session_finalize(&session[0]);
    MPI_Session_finalize(&session[1]);
    MPI_Finalize();
    return 0;
}
