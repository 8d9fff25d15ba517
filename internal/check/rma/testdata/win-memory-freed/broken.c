/* A function makes a window of its own variable and returns. */
#include <mpi.h>

static void expose(MPI_Win *win)
{
    int value[4] = {1, 2, 3, 4};

    MPI_Win_create(value, sizeof value, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, win); /* want: MPI_Win_create with base (`value`) on the stack, and the function that owns that variable returns before MPI_Win_free */
} /* note: it returned before the call by MPI_Barrier at main (broken.c:17) */

int main(int argc, char **argv)
{
    MPI_Win win;

    MPI_Init(&argc, &argv);
    expose(&win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
