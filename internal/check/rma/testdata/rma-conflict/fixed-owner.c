/* Rank 1 uses its window's memory in other places, in other epochs, only reads what is read, or is done before rank 0 knows. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[8] = {0}, got;
    MPI_Win win;
    MPI_Group world, group;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(value, sizeof value, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1)
        MPI_Send(value, 8, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(value, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++) {
        MPI_Win_fence(0, win);
        if (rank == 0) {
            MPI_Put(&rank, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
            MPI_Get(&got, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
            MPI_Recv(value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        } else {
            MPI_Put(&value[2], 1, MPI_INT, 0, 3, 1, MPI_INT, win);
            MPI_Send(&value[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
        MPI_Win_fence(0, win);
        if (rank == 1)
            MPI_Send(&value[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Bcast(value, 8, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &(int){1 - rank}, &group);
    if (rank == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Put(&rank, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(group, 0, win);
        MPI_Send(&value[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Win_wait(win);
        MPI_Send(&value[1], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    }
    /* Here rank 0 knows before MPI_Win_start. */
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_start(group, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(group, 0, win);
        MPI_Send(&value[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
