/* run: -n 4 --check=message-race */
/* Races of receives that were posted before, of probes, of a receive whose message a later one with a source would have had, and
   between rounds where a worker is given work and another is not done yet. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[3], y;
    MPI_Request request[3];
    MPI_Status status;
    MPI_Message message;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        for (int i = 0; i < 3; i++)
            MPI_Irecv(&x[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[i]); /* want: Which message rank 0 gets by this MPI_Irecv */
        /* note: sent by ranks 1, 2 and 3: MPI_Send */
        MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0) {
        MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status); /* want: Which message rank 0 sees by this MPI_Probe */
        MPI_Recv(x, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, &status);
        MPI_Mprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &message, &status); /* want: Which message rank 0 gets by this MPI_Mprobe */
        MPI_Mrecv(x, 1, MPI_INT, &message, &status);
        MPI_Recv(x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    } else {
        MPI_Isend(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, request);
        MPI_Wait(request, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0) {
        MPI_Recv(x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status); /* want: Which message rank 0 gets by this MPI_Recv */
        /* note: sent by ranks 1 and 2: MPI_Send */
        MPI_Recv(&y, 1, MPI_INT, 3 - status.MPI_SOURCE, 2, MPI_COMM_WORLD, &status);
    } else if (rank < 3) {
        MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    /* Rank 1 answers what rank 0 has sent it after the receive; rank 2 did not wait for that. */
    if (rank == 0) {
        MPI_Recv(x, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status); /* want: Which message rank 0 gets by this MPI_Recv */
        MPI_Send(x, 1, MPI_INT, 3, 3, MPI_COMM_WORLD);
        for (int i = 0; i < 2; i++)
            MPI_Recv(x, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
    } else {
        if (rank == 3)
            MPI_Recv(x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
