/* Types of a library that are declared with typedef, and datatypes of other sizes than these. */
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
    MPI_Allgather(&mine, 1, MPI_LONG, all, 1, MPI_LONG, MPI_COMM_WORLD); /* want: `mine` is cgsize (int, 4 bytes), MPI_LONG is long (8 bytes) */
    MPI_Bcast(&part.length, 1, MPI_INT, 0, MPI_COMM_WORLD); /* want: `part.length` is MPI_Aint ( */ /* want: pass MPI_AINT for MPI_Aint */
    MPI_Bcast(ends, 1, MPI_INT, 0, MPI_COMM_WORLD); /* want: `ends` points to MPI_Offset ( */
    MPI_Finalize();
    return 0;
}
