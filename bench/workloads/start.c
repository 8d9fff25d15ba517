// Does nothing: what it takes is the start and the end of a job.
#include "workload.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
