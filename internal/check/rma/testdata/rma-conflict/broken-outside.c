/* run: -n 3 */
/* What ranks have heard by a file before they all waited for each other orders nothing behind that, nor does what the MPI library reads. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, value[2] = {0};
    char line[80];
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(value, sizeof value, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    FILE *f = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, f))
        ;
    fclose(f);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank > 0)
        MPI_Put(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* want: Rank 2 calls MPI_Put, which writes bytes 4 to 7 of the window of rank 0; rank 1 writes them with MPI_Put, and no */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
