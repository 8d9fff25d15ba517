/* An operator that was never made: its variable is 0, which in some MPI libraries is a null pointer. */
#include <mpi.h>

static MPI_Op sum;

int main(int argc, char **argv)
{
    int one = 1, all;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* also: call-failed */
    MPI_Allreduce(&one, &all, 1, MPI_INT, sum, MPI_COMM_WORLD); /* want: Rank 0 calls MPI_Allreduce with op (`sum`) a handle that is not a valid operator. */
    MPI_Finalize();                                             /* note: the variable may never have been set */
    return 0;
}
