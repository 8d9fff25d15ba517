/* only: mpich */
/* run: -n 1 */
// MPICH's mpiexec kills the other ranks when one ends with a session open.
/* Two sessions are made, and one is finalised. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Session session[2];

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 2; i++)
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session[i]); /* want: reaches MPI_Finalize with 1 session of this MPI_Session_init not finalised */
    MPI_Session_finalize(&session[0]);
    MPI_Finalize();
    return 0;
}
