/* run: --ranks-per-agent=1 */
/* Between MPI_Win_post and MPI_Win_wait rank 0 may put at any time; what rank 1 gathers is not certain. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other, value[2] = {0}, all[2];
    MPI_Win win;
    MPI_Group world, group;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Win_create(value, sizeof value, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &group);
    if (rank == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Put(&other, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Allgather(&other, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(group, 0, win);
        MPI_Allgather(value, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD); /* want: Rank 1 calls MPI_Allgather with sendbuf (`value`), which reads bytes 0 to 3 of its own window; in the same epoch rank 0 writes them with MPI_Put */
        MPI_Win_wait(win);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
