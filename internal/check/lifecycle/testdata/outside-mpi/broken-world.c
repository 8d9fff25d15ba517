/* only: mpich */
/* run: -n 1 */
/* Without MPI_Init there is no MPI_COMM_WORLD. */
#include <mpi.h>

int main(void)
{
    MPI_Session session;
    int rank;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* want: calls MPI_Comm_rank with MPI_COMM_WORLD, but has not called MPI_Init */
    MPI_Session_finalize(&session);
    return 0;
}
