/* reported: JuliaParallel/MPI.jl 430, mpi4py/mpi4py 155, Sandia-OpenSHMEM/SOS 803, open-mpi/ompi 8824: every process is rank 0 of 1 */
/* launcher: other */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv); /* want: other-launcher: mpirun */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
