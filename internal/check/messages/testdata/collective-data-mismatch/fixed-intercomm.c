/* run: -n 5 */
/* Collectives between a group of two and one of three, each with the data that the other group expects. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n, data[64] = {0}, recv[64] = {0};
    MPI_Comm group, across;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2, -rank, &group); /* in reverse */
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank < 2 ? 4 : 1, 0, &across);
    MPI_Comm_rank(across, &n);
    int left = rank < 2, root = left ? (n == 1 ? MPI_ROOT : MPI_PROC_NULL) : 1;

    MPI_Bcast(data, 4, MPI_INT, root, across);
    MPI_Reduce(data, recv, 2, MPI_INT, MPI_SUM, root, across);
    MPI_Gather(data, 3, MPI_INT, recv, 3, MPI_INT, root, across);
    MPI_Gatherv(data, n + 1, MPI_INT, recv, (int[]){1, 2, 3}, (int[]){0, 4, 8}, MPI_INT, root, across);
    MPI_Scatterv(data, (int[]){3, 2, 1}, (int[]){0, 4, 8}, MPI_INT, recv, 3 - n, MPI_INT, root, across);
    MPI_Allreduce(data, recv, 2, MPI_DOUBLE, MPI_SUM, across);
    /* The left group gives two, and gets three of each of the right. */
    MPI_Allgather(data, left ? 2 : 3, MPI_INT, recv, left ? 3 : 2, MPI_INT, across);
    MPI_Iallgather(data, left ? 3 : 0, MPI_INT, recv, left ? 0 : 3, MPI_INT, across, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allgatherv(data, left ? n : n + 1, MPI_INT, recv, left ? (int[]){1, 2, 3} : (int[]){0, 1}, (int[]){0, 4, 8}, MPI_INT, across);
    MPI_Alltoall(data, left ? 1 : 2, MPI_INT, recv, left ? 2 : 1, MPI_INT, across);
    MPI_Alltoallv(data, (int[]){n, n + 1, n + 2}, (int[]){0, 8, 16}, MPI_INT, recv, (int[]){n, n + 1, n + 2}, (int[]){0, 8, 16}, MPI_INT, across);
    MPI_Reduce_scatter_block(data, recv, left ? 3 : 2, MPI_INT, MPI_SUM, across);
    MPI_Reduce_scatter(data, recv, left ? (int[]){1, 5} : (int[]){2, 2, 2}, MPI_INT, MPI_SUM, across);
    MPI_Barrier(across);
    MPI_Comm_free(&across);
    MPI_Comm_free(&group);
    MPI_Finalize();
    return 0;
}
