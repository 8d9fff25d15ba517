// Calls that programs make most, on any number of ranks. Arguments: iterations, and what each of them does: "allreduce" of
// one number, "waitall" of eight messages with the neighbours, "poll" until a message has come, "self" for calls that
// exchange nothing.
#include "workload.h"
#include <string.h>

enum { MESSAGES = 8 };

static int rank, size;

static void allreduce(void)
{
    int mine = 1, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    workload_check(all == size, "the sum");
}

static void waitall(void)
{
    MPI_Request r[2 * MESSAGES];
    int in[MESSAGES], out[MESSAGES];
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int i = 0; i < MESSAGES; i++) {
        out[i] = rank;
        MPI_Irecv(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &r[i]);
        MPI_Isend(&out[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &r[MESSAGES + i]);
    }
    MPI_Waitall(2 * MESSAGES, r, MPI_STATUSES_IGNORE);
    workload_check(in[MESSAGES - 1] == left, "the numbers from the left");
}

static void poll(void)
{
    MPI_Request r[2];
    int in = -1, done = 0, out = rank;
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Irecv(&in, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&out, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &r[1]);
    while (!done)
        MPI_Testall(2, r, &done, MPI_STATUSES_IGNORE);
    workload_check(in == left, "the number from the left");
}

static void self(void)
{
    int out = rank;
    MPI_Send(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } kinds[] = {{"allreduce", allreduce}, {"waitall", waitall}, {"poll", poll}, {"self", self}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const long iterations = argc > 1 ? atol(argv[1]) : 1000;
    for (size_t k = 0; argc > 2 && k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(kinds[k].name, argv[2]) != 0)
            continue;
        const double begin = workload_begin();
        for (long i = 0; i < iterations; i++)
            kinds[k].run();
        workload_end(begin);
    }
    MPI_Finalize();
}
