// What ranks do before they hang, by the name of a scene. Each rank writes its number and process, then hangs.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 300 };
static int rank, size;

static void ready(void)
{
    printf("rank %d pid %d\n", rank, (int)getpid());
    fflush(stdout);
}

// Rank 0 waits in MPI_Recv, rank 1 in MPI_Waitall, after messages of all kinds have been received.
static void messages(void)
{
    int in[4] = {0}, out = rank, flag = 0, index;
    const int peer = 1 - rank;
    MPI_Comm dup;
    MPI_Request r[4];
    MPI_Message m;
    MPI_Status s;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Bcast(&out, 1, MPI_INT, 1, dup);
    for (int i = 0; i < 3; i++) // unknown source and tag, and nobody asks
        if (rank == 0)
            MPI_Send(&out, 1, MPI_INT, 1, 5, dup);
        else
            MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, dup, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, 6, dup, &r[0]);
    MPI_Isend(&out, 1, MPI_INT, peer, 6, dup, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(&out, 1, MPI_INT, peer, 8, in, 2, MPI_INT, peer, 8, dup, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 1, MPI_INT, peer, 9, dup, &r[0]);
    MPI_Send(&out, 1, MPI_INT, peer, 9, dup);
    MPI_Waitany(1, r, &index, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 1, MPI_INT, peer, MPI_ANY_TAG, dup, &r[0]);
    MPI_Send(&out, 1, MPI_INT, peer, 10, dup);
    while (!flag)
        MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
    MPI_Send(&out, 1, MPI_INT, peer, 11, dup);
    MPI_Mprobe(MPI_ANY_SOURCE, 11, dup, &m, MPI_STATUS_IGNORE);
    MPI_Mrecv(in, 1, MPI_INT, &m, &s);
    MPI_Send_init(&out, 1, MPI_INT, peer, 12, dup, &r[0]);
    MPI_Recv_init(in, 1, MPI_INT, MPI_ANY_SOURCE, 12, dup, &r[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, r);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    ready();
    if (rank == 0) {
        MPI_Recv(in, 4, MPI_INT, 1, 42, dup, &s);
    } else {
        MPI_Request w[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Irecv(in, 1, MPI_INT, 0, 43, dup, &w[0]);
        MPI_Irecv(in + 1, 2, MPI_INT, MPI_ANY_SOURCE, 44, dup, &w[2]);
        MPI_Waitall(3, w, MPI_STATUSES_IGNORE);
    }
}

// Communicators of several kinds; rank 0 waits in a barrier of the last, which the others do not enter.
static void communicators(void)
{
    MPI_Comm halves, again, some, inter, copy, merged;
    MPI_Request r;
    MPI_Group world, group;
    const int ranks[] = {3, 0, 1};
    MPI_Win win;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &halves);
    MPI_Comm_dup(MPI_COMM_SELF, &again);
    MPI_Comm_free(&again);
    MPI_Comm_dup(halves, &again);
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 3, ranks, &group);
    if (rank != 2)
        MPI_Comm_create_group(MPI_COMM_WORLD, group, 7, &some);
    MPI_Intercomm_create(halves, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &inter);
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, merged, &win);
    MPI_Win_fence(0, win);
    ready();
    if (rank != 0) {
        int in;
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 1, inter, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(merged);
}

// More requests than a slot has room for, more tags than the table of messages has, more calls than the ring has.
static void many(void)
{
    static MPI_Request r[MANY];
    int in, out = 1;
    for (int i = 0; i < 4 * MANY; i++)
        MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, i, &in, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    static int to[MANY];
    for (int i = 0; i < MANY; i++)
        MPI_Irecv(&to[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &r[i]);
    for (int i = 1; i < MANY; i++)
        MPI_Send(&out, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
    for (int i = 0; i < 5000; i++)
        MPI_Send(&out, 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD);
    ready();
    MPI_Waitall(MANY, r, MPI_STATUSES_IGNORE);
}

// Both tables are full again and again: of channels until their communicator is freed, of requests until they complete.
static void full(void)
{
    enum { TAGS = 16000 };
    static MPI_Request r[TAGS];
    static int to[TAGS];
    int in, out = 1, self;
    for (int i = 0; i < 3; i++)
        MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, i, &in, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_rank(MPI_COMM_SELF, &self);
    for (int round = 0; round < 3; round++) {
        MPI_Comm dup;
        MPI_Comm_dup(MPI_COMM_SELF, &dup);
        for (int i = 0; i < TAGS; i++)
            MPI_Irecv(&to[i], 1, MPI_INT, self, i, dup, &r[i]);
        for (int i = 0; i < TAGS; i++)
            MPI_Send(&i, 1, MPI_INT, self, i, dup);
        for (int i = TAGS - 1; i >= 0; i -= 2)
            MPI_Wait(&r[i], MPI_STATUS_IGNORE);
        MPI_Waitall(TAGS, r, MPI_STATUSES_IGNORE);
        for (int i = 0; i < TAGS; i++)
            if (to[i] != i)
                abort();
        MPI_Comm_free(&dup);
    }
    MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 9, MPI_COMM_WORLD, &r[0]);
    ready();
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
}

// Both ranks have a lock of the other's part of one window, and of all parts of another, after some that were released.
static void locks(void)
{
    int *memory, *more, in;
    MPI_Win win, all;
    MPI_Win_allocate(sizeof *more, sizeof *more, MPI_INFO_NULL, MPI_COMM_WORLD, &more, &all);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    MPI_Win_unlock_all(win);
    MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, win);
    MPI_Win_unlock(1 - rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(rank == 0 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 1 - rank, 0, win);
    MPI_Win_lock_all(0, all);
    ready();
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void *receives(void *tag)
{
    int in;
    MPI_Recv(&in, 1, MPI_INT, 0, *(int *)tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return NULL;
}

static void *ends(void *unused)
{
    int flag;
    MPI_Iprobe(0, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    return unused;
}

// Threads that have ended, and threads that wait; a child that calls MPI; memory whose descriptor the program closes.
static void threads(void)
{
    pthread_t t[2];
    int tags[2] = {100, 101}, in;
    for (int i = 0; i < 40; i++) {
        pthread_create(t, NULL, ends, NULL);
        pthread_join(t[0], NULL);
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, receives, &tags[i]);
    const pid_t child = fork();
    if (child == 0) {
        int n;
        for (int i = 0; i < 1000; i++)
            MPI_Comm_size(MPI_COMM_WORLD, &n);
        _exit(n != size);
    }
    int status;
    waitpid(child, &status, 0);
    if (status != 0)
        abort();
    for (int fd = 900; fd < 1100; fd++)
        close(fd);
    ready();
    MPI_Recv(&in, 1, MPI_INT, 0, 102, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } scenes[] = {{"messages", messages}, {"communicators", communicators},
                  {"many", many},         {"full", full},
                  {"threads", threads},   {"locks", locks}};
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; argc > 1 && i < sizeof scenes / sizeof *scenes; i++)
        if (strcmp(scenes[i].name, argv[1]) == 0)
            scenes[i].run();
    MPI_Finalize();
    return 0;
}
