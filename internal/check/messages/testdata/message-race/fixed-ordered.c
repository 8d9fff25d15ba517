/* run: -n 4 */
/* Receives from any source that only one message can meet: the others have another tag or communicator, or are sent by somebody
   who waits until the receive is over, by messages through others, a synchronous send, a barrier or a reduction. */
#include <mpi.h>

static int rank, x, y;

static void any(int tag) { MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void from(int r, int tag) { MPI_Recv(&x, 1, MPI_INT, r, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void to(int r, int tag) { MPI_Send(&y, 1, MPI_INT, r, tag, MPI_COMM_WORLD); }

int main(int argc, char **argv)
{
    MPI_Comm copy;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);

    for (int round = 0; round < 3; round++) {
        /* A chain: 1 to 0, which lets 2 go, which lets 3 go, which sends to 0. */
        switch (rank) {
        case 0: any(0); to(2, 1); any(0); break;
        case 1: to(0, 0); break;
        case 2: from(0, 1); to(3, 1); break;
        case 3: from(2, 1); to(0, 0); break;
        }
        MPI_Barrier(MPI_COMM_WORLD);

        /* A synchronous send is over when its receive has begun to take it. */
        switch (rank) {
        case 0: any(2); any(2); break;
        case 1: MPI_Ssend(&y, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); to(2, 3); break;
        case 2: from(1, 3); to(0, 2); break;
        }
        MPI_Allreduce(&y, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

        /* Each has a tag of its own, or a communicator. */
        switch (rank) {
        case 0:
            any(11); any(12);
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, MPI_STATUS_IGNORE);
            break;
        case 3: MPI_Send(&y, 1, MPI_INT, 0, 11, copy); break;
        default: to(0, 10 + rank);
        }
        MPI_Barrier(copy);

        /* The receive was posted first, and is over when its rank enters the collective. */
        if (rank == 0) {
            MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            to(0, 4);
        }
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 0)
            any(4);
        else if (rank == 2)
            to(0, 4);

        /* An earlier receive has a claim to what the other sends. */
        if (rank == 0) {
            MPI_Irecv(&y, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &request);
            any(5);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else if (rank < 3) {
            to(0, 5);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
