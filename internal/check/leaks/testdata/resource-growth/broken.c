/* Each step duplicates a communicator, and none is freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm step;

    MPI_Init(&argc, &argv);
    for (int n = 0; n < 1100; n++)
        MPI_Comm_dup(MPI_COMM_SELF, &step); /* want: Rank 0 has 1022 communicators of this MPI_Comm_dup that it has not freed */
    MPI_Finalize();
    return 0;
}
