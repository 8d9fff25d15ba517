/* Each rank sends to those that it receives from, and these receive from others. */
/* code: deadlock */
/* sentence: Ranks 0-3 wait for each other: each waits for a message from a rank that has sent one to another rank. */
/* note: nearest miss: rank 0 waits for a message from rank 1, which sent one that fits to rank 2 at main (destination_each.c: */
/* note: nearest miss: rank 3 waits for a message from rank 0, which sent one that fits to rank 1 at main (destination_each.c: */
/* hint: compare whom the sends name with whom the receives name */
/* agents: each */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, n = 0, neighbours[2];
    double out[2], in[2];
    MPI_Request requests[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    neighbours[n++] = (rank + 1) % size;
    if (rank % 2 == 0)
        neighbours[n++] = (rank + 2) % size;
    for (int i = 0; i < n; i++) {
        out[i] = rank;
        MPI_Irecv(&in[i], 1, MPI_DOUBLE, neighbours[i], 0, MPI_COMM_WORLD, &requests[2 * i]);
        MPI_Isend(&out[i], 1, MPI_DOUBLE, neighbours[i], 0, MPI_COMM_WORLD, &requests[2 * i + 1]); /* related */
    }
    MPI_Waitall(2 * n, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize(); /* end */
    return in[0] > 1000;
}
