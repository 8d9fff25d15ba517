/* run: -n 3 */
/* Ranks 1 and 2 put into every other place, in between each other; the ranks know each other's window by fences. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[8] = {0}, from[4] = {1, 2, 3, 4};
    MPI_Datatype every;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(4, 1, 2, MPI_INT, &every);
    MPI_Type_commit(&every);
    MPI_Win_create(value, sizeof value, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < 20; i++) {
        MPI_Win_fence(0, win);
        if (rank > 0)
            MPI_Put(from, 4, MPI_INT, 0, rank - 1, 1, every, win);
        MPI_Win_fence(0, win);
        MPI_Get(from, 4, MPI_INT, 0, 0, 1, every, win);
    }
    MPI_Win_fence(0, win);
    MPI_Type_free(&every);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
