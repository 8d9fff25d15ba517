/* run: -n 3 */
#include <mpi.h>

static int data[1142];

int main(int argc, char **argv)
{

    MPI_Init(&argc, &argv);
    MPI_Bcast(data, 1088, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
