// The ring exchange of the SC 2013 paper (section 6): send to the right, receive from the left, one int, a barrier every
// 10th iteration. Arguments: iterations, and "three" for MPI_Isend, MPI_Recv, MPI_Wait or "one" for MPI_Sendrecv.
#include "workload.h"
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    long iterations = argc > 1 ? atol(argv[1]) : 1000;
    int one = argc > 2 && strcmp(argv[2], "one") == 0;
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size, given = rank, got = -1;
    double begin = workload_begin();
    for (long i = 1; i <= iterations; i++) {
        if (one) {
            MPI_Sendrecv(&given, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Request request;
            MPI_Isend(&given, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &request);
            MPI_Recv(&got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        if (i % 10 == 0)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    workload_end(begin);
    workload_check(iterations == 0 || got == left, "the number from the left");
    MPI_Finalize();
}
