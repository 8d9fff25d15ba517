/* run: -n 2 */
/* In each case a thread uses an object and the main thread frees it afterwards. Only a relaxed atomic makes it wait, which orders nothing. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int done;
static int loaded(void) { return atomic_load_explicit(&done, memory_order_relaxed); }
static int (*volatile look)(void) = loaded; /* a loop that waits for a variable itself may be an order of threads */
static int me;
static MPI_Comm comm;
static MPI_Datatype pair;
static MPI_Win win;
static MPI_File file;
static MPI_Info info;
static MPI_Op larger;
static MPI_Group group;
static int cells[4];

static void of_larger(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        if (((int *)in)[i] > ((int *)inout)[i])
            ((int *)inout)[i] = ((int *)in)[i];
}

static void finished(void) { atomic_store_explicit(&done, 1, memory_order_relaxed); }

static void *exchanges(void *unused)
{
    int mine = me, theirs = -1;
    MPI_Sendrecv(&mine, 1, MPI_INT, 1 - me, 0, &theirs, 1, MPI_INT, 1 - me, 0, comm, MPI_STATUS_IGNORE);
    finished();
    return unused;
}

static void *sends_pairs(void *unused)
{
    int two[2] = {me, me};
    MPI_Request request;
    MPI_Isend(two, 1, pair, me, 1, MPI_COMM_WORLD, &request);
    MPI_Recv(cells, 2, MPI_INT, me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    finished();
    return unused;
}

static void *puts_into(void *unused)
{
    int one = 1;
    MPI_Win_lock(MPI_LOCK_SHARED, 1 - me, 0, win);
    MPI_Put(&one, 1, MPI_INT, 1 - me, 0, 1, MPI_INT, win);
    MPI_Win_unlock(1 - me, win);
    finished();
    return unused;
}

static void *writes(void *unused)
{
    MPI_File_write_at(file, 4 * me, &me, 1, MPI_INT, MPI_STATUS_IGNORE);
    finished();
    return unused;
}

static void *sets(void *unused)
{
    MPI_Info_set(info, "key", "value");
    finished();
    return unused;
}

static void *combines(void *unused)
{
    int one = 1, two = 2;
    MPI_Reduce_local(&one, &two, 1, MPI_INT, larger);
    finished();
    return unused;
}

static void *asks(void *unused)
{
    int n;
    MPI_Group_size(group, &n);
    finished();
    return unused;
}

static void other(void *(*use)(void *))
{
    pthread_t thread;
    atomic_store_explicit(&done, 0, memory_order_relaxed);
    pthread_create(&thread, NULL, use, NULL);
    pthread_detach(thread);
    while (!look())
        usleep(1000);
}

int main(int argc, char **argv)
{
    int provided;
    char path[64];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    other(exchanges);
    MPI_Comm_free(&comm); /* want: calls MPI_Comm_free in thread 0 for a communicator that MPI_Sendrecv in its thread 1 has used, and nothing orders the two: in another run that call may be given a handle that is freed */

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    other(sends_pairs);
    MPI_Type_free(&pair); /* want: calls MPI_Type_free in thread 0 for a datatype that MPI_Isend in its thread 2 has used, and nothing orders */

    MPI_Win_create(cells, sizeof cells, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    other(puts_into);
    MPI_Win_free(&win); /* want: calls MPI_Win_free in thread 0 for a window that MPI_Win_unlock in its thread 3 has used, and nothing orders */

    snprintf(path, sizeof path, "/tmp/thread-free-%d", me);
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    other(writes);
    MPI_File_close(&file); /* want: calls MPI_File_close in thread 0 for a file that MPI_File_write_at in its thread 4 has used, and nothing orders */

    MPI_Info_create(&info);
    other(sets);
    MPI_Info_free(&info); /* want: calls MPI_Info_free in thread 0 for an info object that MPI_Info_set in its thread 5 has used, and nothing orders */

    MPI_Op_create(of_larger, 1, &larger);
    other(combines);
    MPI_Op_free(&larger); /* want: calls MPI_Op_free in thread 0 for an operator that MPI_Reduce_local in its thread 6 has used, and nothing orders */

    MPI_Comm_group(MPI_COMM_WORLD, &group);
    other(asks);
    MPI_Group_free(&group); /* want: calls MPI_Group_free in thread 0 for a group that MPI_Group_size in its thread 7 has used, and nothing orders */

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
