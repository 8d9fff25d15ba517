// An exchange whose calls are the same for a while, and then differ for as long in their tags, again and again. Arguments: calls of each rank, and how many
// of them are the same in a row.
#include "workload.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const long calls = argc > 1 ? atol(argv[1]) : 1000, row = argc > 2 ? atol(argv[2]) : 10;
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    int given = rank, got = -1;
    unsigned tag = 1;
    double begin = workload_begin();
    for (long i = 0; i < calls; i++) {
        if (i / row % 2 == 1)
            tag = tag * 1103515245 + 12345;
        const int same = i / row % 2 == 0 ? 0 : (int)(tag >> 16) % 1000;
        MPI_Sendrecv(&given, 1, MPI_INT, right, same, &got, 1, MPI_INT, left, same, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    workload_end(begin);
    workload_check(calls == 0 || got == left, "the number from the left");
    MPI_Finalize();
}
