/* Persistent, blocking, derived types, and the buffers of one call. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other, m[4][4] = {{0}}, sum[4] = {0}, all[8] = {0}, counts[2] = {2, 2}, displs[2] = {0, 1};
    MPI_Datatype column;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);

    MPI_Recv_init(&m[0][1], 1, column, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Start(&r[0]);
    MPI_Send(&m[0][2], 1, column, other, 0, MPI_COMM_WORLD);
    MPI_Send(&m[2], 4, MPI_INT, other, 1, MPI_COMM_WORLD); /* want: MPI_Send with buf (`&m[2]`) in memory that a pending MPI_Recv still receives into */
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);                    /* note: the pending operation was started by MPI_Start at main (broken-calls.c:17) */
    MPI_Recv(&m[2], 4, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Isend(m, 16, MPI_INT, other, 2, MPI_COMM_WORLD, &r[1]);
    MPI_Start(&r[0]); /* want: MPI_Start, which starts an operation in memory that a pending MPI_Isend still sends from */
    MPI_Send(sum, 4, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Recv(m[0], 16, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: MPI_Recv with buf (`m[0]`) in memory that a pending MPI_ */
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Request_free(&r[0]);

    MPI_Sendrecv(sum, 2, MPI_INT, other, 3, sum + 1, 2, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: MPI_Sendrecv with sendbuf (`sum`) and recvbuf (`sum + 1`) in the same memory (4 bytes are in both) */
    MPI_Gatherv(sum, 2, MPI_INT, all, counts, displs, MPI_INT, 0, MPI_COMM_WORLD); /* want: Rank 0 calls MPI_Gatherv with displs with which blocks 0 and 1 of recvbuf (`all`) overlap (4 bytes are in both) */

    MPI_Ibcast(m, 16, MPI_INT, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Iallgatherv(sum, 2, MPI_INT, all, counts, (int[]){0, 4}, MPI_INT, MPI_COMM_WORLD, &r[1]);
    MPI_Allreduce(all + 2, sum + 2, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(sum + 2, all + 5, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); /* want: MPI_Allreduce with recvbuf (`all + 5`) in memory that a pending MPI_Iallgatherv still receives into */
    MPI_Bcast(m[3], 4, MPI_INT, 1, MPI_COMM_WORLD); /* want: with buffer (`m[3]`) in memory that a pending MPI_Ibcast still */
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Type_free(&column); /* also: deadlock-unsafe */
    MPI_Gather(all + 2 * rank, 2, MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD); /* want: Rank 0 calls MPI_Gather with sendbuf (`all + 2 * rank`) and recvbuf (`all`) in the same memory (8 bytes */
    MPI_Finalize();
    return 0;
}
