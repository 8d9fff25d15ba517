/* run: -n 2 */
/* An object is freed after its threads have been joined, or have met in a barrier; or by the thread that has made it and uses it alone; or by the last of its
   users, who count themselves under a lock. */
#include <mpi.h>
#include <pthread.h>

enum { USERS = 3 };

static int me, left;
static MPI_Comm comms[USERS];
static MPI_Datatype pair;
static pthread_barrier_t all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void exchange(MPI_Comm comm, MPI_Datatype type)
{
    int mine[2] = {me, me}, theirs[2];
    MPI_Sendrecv(mine, 1, type, 1 - me, 0, theirs, 1, type, 1 - me, 0, comm, MPI_STATUS_IGNORE);
}

static void *joined(void *comm)
{
    exchange(*(MPI_Comm *)comm, pair);
    return NULL;
}

static void *meets(void *comm)
{
    exchange(*(MPI_Comm *)comm, pair);
    pthread_barrier_wait(&all);
    return NULL;
}

static void *own(void *comm)
{
    MPI_Datatype mine;
    MPI_Type_contiguous(2, MPI_INT, &mine);
    MPI_Type_commit(&mine);
    exchange(*(MPI_Comm *)comm, mine);
    MPI_Type_free(&mine);
    return NULL;
}

static void *counted(void *comm)
{
    exchange(*(MPI_Comm *)comm, pair);
    pthread_mutex_lock(&lock);
    if (--left == 0)
        MPI_Type_free(&pair);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void create(void)
{
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
}

static void run(void *(*use)(void *), int meet)
{
    pthread_t threads[USERS];
    for (int i = 0; i < USERS; i++)
        pthread_create(&threads[i], NULL, use, &comms[i]);
    if (meet) {
        pthread_barrier_wait(&all);
        MPI_Type_free(&pair);
    }
    for (int i = 0; i < USERS; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int i = 0; i < USERS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);

    create();
    run(joined, 0);
    MPI_Type_free(&pair);

    create();
    pthread_barrier_init(&all, NULL, USERS + 1);
    run(meets, 1);

    run(own, 0);

    create();
    left = USERS;
    run(counted, 0);

    for (int i = 0; i < USERS; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
