// One rank runs ahead: rank 0 sends to rank 1 as fast as it can. Arguments: messages, and "slow" (rank 1 receives them
// in their order and computes after each) or "last" (rank 1 first receives what is sent last, so that MPI has to keep
// all others). Their tags do not repeat with any period. Prints the memory that a rank had at most.
#include "workload.h"
#include <string.h>
#include <sys/resource.h>

enum { TAGS = 8, LAST = TAGS, WORK = 400 };

static int tag_of(unsigned i)
{
    i = (i ^ 61) ^ (i >> 16);
    i *= 9;
    i = (i ^ (i >> 4)) * 0x27d4eb2du;
    return (int)((i ^ (i >> 15)) % TAGS);
}

static void receive(int tag, unsigned want)
{
    unsigned got;
    MPI_Status status;
    MPI_Recv(&got, 1, MPI_UNSIGNED, 0, tag, MPI_COMM_WORLD, &status);
    workload_check(got == want, "the messages are out of order");
}

// Something to compute.
static double work(unsigned n)
{
    double x = 0;
    for (int i = 1; i <= WORK; i++)
        x += 1.0 / (i + n);
    return x;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    unsigned messages = argc > 1 ? (unsigned)atol(argv[1]) : 10000;
    int last = argc > 2 && strcmp(argv[2], "last") == 0, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double begin = workload_begin(), sum = 1;
    if (rank == 0) {
        for (unsigned i = 0; i < messages; i++)
            MPI_Send(&i, 1, MPI_UNSIGNED, 1, tag_of(i), MPI_COMM_WORLD);
        MPI_Send(&messages, 1, MPI_UNSIGNED, 1, LAST, MPI_COMM_WORLD);
    } else if (rank == 1) {
        if (last)
            receive(LAST, messages);
        for (unsigned i = 0; i < messages; i++) {
            receive(tag_of(i), i);
            if (!last)
                sum += work(i);
        }
        if (!last)
            receive(LAST, messages);
    }
    workload_end(begin);
    workload_check(sum > 0, "the sum");
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    long most;
    MPI_Reduce(&used.ru_maxrss, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("kib %ld\n", most);
    MPI_Finalize();
}
