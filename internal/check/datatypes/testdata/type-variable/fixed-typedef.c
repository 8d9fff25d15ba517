/* Types of a library that are declared with typedef, and their datatypes. */
#include <mpi.h>

typedef int cgsize;
typedef struct {
    cgsize first;
    MPI_Aint length;
} range;

int main(int argc, char **argv)
{
    cgsize mine = 1, all[8];
    range part = {0, 0};
    MPI_Offset *ends = (MPI_Offset[]){1, 2};

    MPI_Init(&argc, &argv);
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Bcast(&part.length, 1, MPI_AINT, 0, MPI_COMM_WORLD);
    MPI_Bcast(ends, 1, MPI_OFFSET, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
