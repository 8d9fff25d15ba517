/* Columns lie between each other, requests complete in many ways, and MPI_IN_PLACE and empty buffers are no overlap. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other, done, n, at[2], m[4][4] = {{0}}, all[4] = {0}, counts[2] = {2, 2}, displs[2] = {2, 0};
    MPI_Datatype column;
    MPI_Request r[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < 2; i++) {
        MPI_Irecv(&m[0][i], 1, column, other, i, MPI_COMM_WORLD, &r[i]);
        MPI_Isend(&m[0][2 + i], 1, column, other, i, MPI_COMM_WORLD, &r[2 + i]);
    }
    MPI_Bcast(&m[0][2], 1, column, 0, MPI_COMM_SELF);
    for (int left = 4; left > 0; left -= n)
        MPI_Waitsome(4, r, &n, (int[4]){0}, MPI_STATUSES_IGNORE);

    for (int i = 0; i < 3; i++) {
        MPI_Irecv(m, 16, MPI_INT, other, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Send(all, 4, MPI_INT, other, 0, MPI_COMM_WORLD);
        for (done = 0; !done;)
            i == 0 ? MPI_Test(&r[0], &done, MPI_STATUS_IGNORE) : i == 1 ? MPI_Request_get_status(r[0], &done, MPI_STATUS_IGNORE) : MPI_Testany(1, r, at, &done, MPI_STATUS_IGNORE);
        MPI_Bcast(m, 16, MPI_INT, 0, MPI_COMM_WORLD);
        if (i == 1)
            MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    }
    MPI_Irecv(m, 16, MPI_INT, other, 9, MPI_COMM_WORLD, &r[0]);
    MPI_Cancel(&r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Isend(m, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(m, 0, MPI_INT, other, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Sendrecv(m, 0, MPI_INT, other, 1, m, 16, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(m, 16, MPI_INT, other, 2, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : m, 2, MPI_INT, rank == 0 ? all : (int *)m, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv(m, 2, MPI_INT, all, counts, displs, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, all, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
