/* Receives are judged by what they got: some messages leave their buffer, others are short and only the count is too large. */
#include <mpi.h>

/* Variables of 16 bytes, with room behind them that belongs to none. */
#define FEW(name) \
    __asm__(".data\n.balign 16\n.globl " #name "\n.type " #name ", @object\n.size " #name ", 16\n" #name ": .zero 256\n.text\n"); \
    extern int name[4]
FEW(a); FEW(b); FEW(c); FEW(d); FEW(e); FEW(f); FEW(g); FEW(h); FEW(k); FEW(l);

static int data[16];

int main(int argc, char **argv)
{
    int rank, other, flag = 0;
    MPI_Request r[3];
    MPI_Message message;
    MPI_Status status;
    MPI_Datatype pairs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Type_vector(2, 1, 2, MPI_INT, &pairs);
    MPI_Type_commit(&pairs);

    MPI_Send_init(data, 8, MPI_INT, other, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Start(&r[0]);
    MPI_Recv(a, 16, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: Rank 0 calls MPI_Recv with buf (`a`) in the variable `a` of 16 bytes; the message of 32 bytes extends 16 bytes beyond its end. */
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);                                    /* note: the call allows 16 × MPI_INT, spanning 64 bytes */
    MPI_Irecv(b + 1, 4, MPI_INT, other, 1, MPI_COMM_WORLD, &r[1]); /* want: Rank 0 calls MPI_Irecv with buf (`b + 1`) in the variable `b` of 16 bytes from byte 4 on; the message of 16 bytes extends 4 bytes beyond its end. */
    MPI_Irecv(c, 5, MPI_INT, other, 2, MPI_COMM_WORLD, &r[2]);     /* want: Rank 0 calls MPI_Irecv with buf (`c`) in the variable `c` of 16 bytes; its count extends 4 bytes beyond the end, though the message of 12 bytes does not. */
    MPI_Send(data, 4, MPI_INT, other, 1, MPI_COMM_WORLD);          /* also: deadlock-unsafe */
    MPI_Send(data, 3, MPI_INT, other, 2, MPI_COMM_WORLD);
    MPI_Waitall(2, r + 1, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(data, 5, MPI_INT, other, 3, d, 16, MPI_INT, other, 3, MPI_COMM_WORLD, &status); /* want: Rank 0 calls MPI_Sendrecv with recvbuf (`d`) in the variable `d` of 16 bytes; the message of 20 bytes extends 4 bytes beyond its end. */

    MPI_Recv_init(e, 6, MPI_INT, other, 4, MPI_COMM_WORLD, &r[1]); /* want: Rank 0 calls MPI_Recv_init with buf (`e`) in the variable `e` of 16 bytes; the message of 24 bytes extends 8 bytes beyond its end. */
    for (int n = 2; n <= 6; n += 4) {
        MPI_Start(&r[1]);
        MPI_Send(data, n, MPI_INT, other, 4, MPI_COMM_WORLD);
        for (flag = 0; !flag;)
            MPI_Test(&r[1], &flag, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&r[1]);

    for (int n = 1; n < 5; n++) {
        MPI_Isend(data, n, MPI_INT, other, 5, MPI_COMM_WORLD, &r[1]);
        MPI_Mprobe(other, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(f, 5, MPI_INT, &message, MPI_STATUS_IGNORE); /* want: its count extends 4 bytes beyond the end, though the data received, at most 16 bytes, does not. */
        MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    }
    for (int n = 3; n < 6; n++) {
        MPI_Isend(data, n, MPI_INT, other, 6, MPI_COMM_WORLD, &r[1]);
        MPI_Recv(g, 6, MPI_INT, other, 6, MPI_COMM_WORLD, &status); /* want: Rank 0 calls MPI_Recv with buf (`g`) in the variable `g` of 16 bytes; the message of 20 bytes extends 4 bytes beyond its end. */
        MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    }
    MPI_Isend(data, 3, MPI_INT, other, 7, MPI_COMM_WORLD, &r[1]);
    MPI_Recv(h + 1, 2, pairs, other, 7, MPI_COMM_WORLD, &status); /* want: its count extends 4 bytes beyond the end, though the message of 12 bytes does not. */
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    MPI_Isend(data, 4, MPI_INT, other, 8, MPI_COMM_WORLD, &r[1]);
    MPI_Recv(k + 1, 2, pairs, other, 8, MPI_COMM_WORLD, &status); /* want: the message of 16 bytes extends 4 bytes beyond its end. */
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);

    MPI_Irecv(l, 5, MPI_INT, other, 9, MPI_COMM_WORLD, &r[1]); /* want: Rank 0 calls MPI_Irecv with buf (`l`) in the variable `l` of 16 bytes; its count extends 4 bytes beyond the end. */
    MPI_Cancel(&r[1]);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    MPI_Request_free(&r[0]);
    MPI_Type_free(&pairs);
    MPI_Finalize();
    return 0;
}
