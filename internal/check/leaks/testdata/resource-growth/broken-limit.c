/* MPICH has no communicator left after some 2,000, and ends the rank; Open MPI has more. */
/* run: -n 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm step;

    MPI_Init(&argc, &argv);
    for (int n = 0; n < 5000; n++)
        MPI_Comm_dup(MPI_COMM_SELF, &step); /* want: communicators of this MPI_Comm_dup that it has not freed */ /* note: MPICH to about 2000 */
    MPI_Finalize();
    return 0;
}
