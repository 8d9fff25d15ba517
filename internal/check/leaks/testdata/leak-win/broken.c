/* A window is never freed. */
/* also: rank-died */ /* the transport below MPICH crashes in MPI_Finalize then */
#include <mpi.h>

int main(int argc, char **argv)
{
    int *a;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Win_allocate(sizeof *a, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &a, &win); /* want: MPI_Finalize with 1 window of this MPI_Win_allocate not freed */
    MPI_Win_fence(0, win);
    MPI_Finalize();
    return 0;
}
