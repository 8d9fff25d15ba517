/* run: -n 3 */
/* Messages that a receive cannot deal with alike: of other datatypes, too long, or told apart only by a status that is ignored. Rank 2
   is kept back until rank 0 has received from rank 1, as a slow network might; MPI does not order the two. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char gate[64];

// Makes a file that keeps rank 2 back.
static void close_gate(int rank)
{
    if (rank == 0) {
        sprintf(gate, "/tmp/unknot-race-XXXXXX");
        close(mkstemp(gate));
    }
    MPI_Bcast(gate, sizeof gate, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void open_gate(void) { unlink(gate); }

static void await_gate(int rank)
{
    while (rank == 2 && access(gate, F_OK) == 0)
        usleep(1000);
}

int main(int argc, char **argv)
{
    int rank, x[4], n[4] = {0};
    float f[4] = {0};
    MPI_Status status;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    close_gate(rank);
    await_gate(rank);
    if (rank == 0) {
        MPI_Recv(x, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status); /* want: ranks 1 and 2 send one, unordered. That from rank 2 (2 × MPI_FLOAT) does not match the datatypes of the receive (2 × MPI_INT). */
        open_gate(); /* note: give messages of different kinds different tags */
        MPI_Recv(f, 2, MPI_FLOAT, 2, 0, MPI_COMM_WORLD, &status);
    } else if (rank == 1) {
        MPI_Send(n, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(f, 2, MPI_FLOAT, 0, 0, MPI_COMM_WORLD);
    }

    close_gate(rank);
    await_gate(rank);
    if (rank == 0) {
        MPI_Recv(x, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status); /* want: That from rank 2 (4 × MPI_INT) is too long for the receive (2 × MPI_INT). */
        open_gate();
        MPI_Recv(x, 4, MPI_INT, 2, 0, MPI_COMM_WORLD, &status);
    } else {
        MPI_Send(n, 2 * rank, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }

    close_gate(rank);
    await_gate(rank);
    if (rank == 0) {
        MPI_Recv(x, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: Their tags differ (1 from rank 1, 2 from rank 2), and this MPI_Recv ignores the status, which would distinguish them. */
        open_gate(); /* note: name the source or the tag, or check the status */
        MPI_Recv(x, 4, MPI_INT, 2, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    } else {
        MPI_Send(n, 4, MPI_INT, 0, rank, MPI_COMM_WORLD);
    }

    close_gate(rank);
    await_gate(rank);
    if (rank == 0) {
        MPI_Irecv(x, 4, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* want: Their sizes differ (2 × MPI_INT from rank 1, 4 × MPI_INT from rank 2), and this MPI_Irecv ignores the status */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        open_gate();
        MPI_Recv(x, 4, MPI_INT, 2, 0, MPI_COMM_WORLD, &status);
    } else {
        MPI_Send(n, 2 * rank, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
