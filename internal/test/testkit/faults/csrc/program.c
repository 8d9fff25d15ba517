/* A correct program, unless its pattern says otherwise: PATTERN BYTES. It needs two ranks at least. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ITERATIONS = 6, TAG = 3 };

static int rank, size, bytes;
static char *out, *in;

static int right(void)
{
    return (rank + 1) % size;
}

static int left(void)
{
    return (rank + size - 1) % size;
}

static void receive(int from, int tag)
{
    MPI_Recv(in, bytes, MPI_CHAR, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void ring(int synchronous)
{
    if (rank > 0)
        receive(left(), TAG);
    if (synchronous)
        MPI_Ssend(out, bytes, MPI_CHAR, right(), TAG, MPI_COMM_WORLD);
    else
        MPI_Send(out, bytes, MPI_CHAR, right(), TAG, MPI_COMM_WORLD);
    if (rank == 0)
        receive(left(), TAG);
}

static void master(void)
{
    if (rank == 0) {
        for (int i = 1; i < size; i++) {
            MPI_Status status;

            MPI_Recv(in, bytes, MPI_CHAR, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
            MPI_Send(out, bytes, MPI_CHAR, status.MPI_SOURCE, TAG, MPI_COMM_WORLD);
        }
    } else {
        MPI_Send(out, bytes, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
        receive(0, TAG);
    }
}

static void halo(void)
{
    MPI_Request reqs[4];
    MPI_Status statuses[4];

    MPI_Irecv(in, bytes, MPI_CHAR, left(), TAG, MPI_COMM_WORLD, &reqs[0]);
    MPI_Irecv(in + bytes, bytes, MPI_CHAR, right(), TAG + 1, MPI_COMM_WORLD, &reqs[1]);
    MPI_Isend(out, bytes, MPI_CHAR, right(), TAG, MPI_COMM_WORLD, &reqs[2]);
    MPI_Isend(out, bytes, MPI_CHAR, left(), TAG + 1, MPI_COMM_WORLD, &reqs[3]);
    MPI_Waitall(4, reqs, statuses);
}

static void collectives(int i, MPI_Comm comm)
{
    int members, sum = 0;

    MPI_Comm_size(comm, &members);
    MPI_Bcast(out, bytes, MPI_CHAR, i % members, comm);
    MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Barrier(comm);
}

/* outside is one of the ways to be outside of MPI for long while others wait. */
static void outside(const char *what)
{
    if (strcmp(what, "computes") == 0) {
        for (volatile unsigned long n = 0;; n++)
            ;
    }
    if (strcmp(what, "reads") == 0) {
        int ends[2];
        char c;

        if (pipe(ends) == 0 && read(ends[0], &c, 1) == 1)
            putchar(c);
    }
    sleep(600);
}

/* slow has rank 1 start what rank 0 waits for, and then stay outside of MPI. */
static void slow(const char *what)
{
    MPI_Request req;

    if (rank == 1) {
        MPI_Isend(out, bytes, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, &req);
        outside(what);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else if (rank == 0) {
        receive(1, TAG);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* wrong has rank 0 wait for a message with a tag that nobody sends. */
static void wrong(void)
{
    if (rank == 1)
        MPI_Send(out, 1, MPI_CHAR, 0, TAG + 1, MPI_COMM_WORLD);
    if (rank == 0)
        receive(1, TAG);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* chooses has rank 0 wait for two messages, of which the first receive may take the only one. */
static void chooses(void)
{
    MPI_Request req;

    if (rank == 1)
        MPI_Send(out, 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Irecv(in, bytes, MPI_CHAR, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &req);
        receive(1, TAG);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* holder has rank 0 hold a lock that the others want, and go where its name says. */
static void holder(const char *what)
{
    MPI_Win win;
    char *base;

    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        base[0] = 1;
    }
    if (rank != 0 || strcmp(what, "keeps") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    else if (strcmp(what, "holds") == 0)
        outside("sleeps");
    if (rank != 0)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    if (rank != 0)
        MPI_Win_unlock(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
}

static void loops(void *from, void *to, int *n, MPI_Datatype *type)
{
    (void)from;
    (void)to;
    (void)n;
    (void)type;
    outside("computes");
}

/* folds has an operator that does not return. */
static void folds(void)
{
    MPI_Op op;
    int one = 1, sum = 0;

    MPI_Op_create(loops, 1, &op);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
}

/* skips has the last rank leave out a collective. */
static void skips(void)
{
    int one = 1, sum;

    if (rank == size - 1)
        MPI_Recv(in, bytes, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(out, 1, MPI_CHAR, size - 1, TAG, MPI_COMM_WORLD);
}

static void onesided(void)
{
    MPI_Win win;
    char *base;

    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    for (int i = 0; i < ITERATIONS; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right(), 0, win);
        MPI_Put(out, bytes, MPI_CHAR, right(), 0, bytes, MPI_CHAR, win);
        MPI_Win_flush(right(), win);
        MPI_Win_unlock(right(), win);
    }
    MPI_Win_free(&win);
}

/* rings repeats it for a second. */
static void rings(void)
{
    int more = 1;

    for (double end = MPI_Wtime() + 1; more;) {
        ring(0);
        more = MPI_Wtime() < end;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

static void pattern(const char *name, int i, MPI_Comm half)
{
    if (strcmp(name, "ring") == 0)
        ring(0);
    else if (strcmp(name, "rma") == 0)
        onesided();
    else if (strcmp(name, "rings") == 0)
        rings();
    else if (strcmp(name, "sync") == 0)
        ring(1);
    else if (strcmp(name, "wild") == 0)
        master();
    else if (strcmp(name, "halo") == 0)
        halo();
    else if (strcmp(name, "coll") == 0)
        collectives(i, MPI_COMM_WORLD);
    else if (strcmp(name, "half") == 0)
        collectives(i, half);
    else if (strcmp(name, "wrong") == 0)
        wrong();
    else if (strcmp(name, "chooses") == 0)
        chooses();
    else if (strcmp(name, "skips") == 0)
        skips();
    else if (strcmp(name, "folds") == 0)
        folds();
    else if (strcmp(name, "keeps") == 0 || strcmp(name, "holds") == 0)
        holder(name);
    else
        slow(name);
}

int main(int argc, char **argv)
{
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bytes = argc > 2 ? atoi(argv[2]) : 4;
    out = calloc(2, (size_t)bytes);
    in = calloc(2, (size_t)bytes);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    for (int i = 0; i < ITERATIONS; i++)
        pattern(argc > 1 ? argv[1] : "ring", i, half);
    MPI_Comm_free(&half);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
