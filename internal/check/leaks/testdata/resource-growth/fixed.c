/* Each step frees its communicator. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm step;

    MPI_Init(&argc, &argv);
    for (int n = 0; n < 1100; n++) {
        MPI_Comm_dup(MPI_COMM_SELF, &step);
        MPI_Comm_free(&step);
    }
    MPI_Finalize();
    return 0;
}
