/* Requests in rows of an array, in members of a struct that follow each other, and in a part of an array. */
#include <mpi.h>

static struct {
    MPI_Request in[2], out[2];
} both;
static MPI_Request rows[2][2], many[8];

static void exchange(int other, MPI_Request *in, MPI_Request *out)
{
    static int sent = 1, received[2];
    for (int i = 0; i < 2; i++) {
        MPI_Irecv(&received[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &in[i]);
        MPI_Isend(&sent, 1, MPI_INT, other, i, MPI_COMM_WORLD, &out[i]);
    }
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exchange(1 - rank, both.in, both.out);
    MPI_Waitall(4, both.in, MPI_STATUSES_IGNORE);
    exchange(1 - rank, rows[0], rows[1]);
    MPI_Waitall(4, rows[0], MPI_STATUSES_IGNORE);
    exchange(1 - rank, rows[0], rows[1]);
    MPI_Waitall(4, &rows[0][0], MPI_STATUSES_IGNORE);
    exchange(1 - rank, many, many + 2);
    MPI_Waitall(4, many, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
