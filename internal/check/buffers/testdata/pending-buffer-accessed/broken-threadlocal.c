/* Thread-local variables while a receive is pending there. */
/* by: unknot -O2 */
#include <mpi.h>
#include <pthread.h>

struct cell { double value; int kind; };

__thread double halo[32];
static __thread int flag;
static _Thread_local struct cell cells[8];
static __thread long untouched;
static int rank, other;
static volatile double sink;
static MPI_Request request;

static void finish(int n, MPI_Datatype type)
{
    double data[32] = {0};
    MPI_Send(data, n, type, other, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void *in_a_thread(void *none)
{
    static __thread long own[64];
    MPI_Irecv(own, 64, MPI_INT, other, 0, MPI_COMM_WORLD, &request); /* want: writes to that memory */
    for (int i = 0; i < 64; i++)
        own[i] = i; /* note: (broken-threadlocal.c:28) */
    flag = 1; /* that of this thread */
    finish(64, MPI_INT);
    sink = own[7];
    return none;
}

int main(int argc, char **argv)
{
    int level;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;

    MPI_Irecv(halo, 32, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request); /* want: reads that memory */
    sink = halo[rank + 3]; /* note: (broken-threadlocal.c:44) */
    finish(32, MPI_DOUBLE);

    MPI_Irecv(&flag, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request); /* want: writes to that memory */
    untouched = rank;
    flag = 3; /* note: (broken-threadlocal.c:49) */
    finish(1, MPI_INT);

    MPI_Irecv(&cells[3].value, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request); /* want: reads that memory */
    cells[3].kind = 1;
    cells[1] = cells[3]; /* note: (broken-threadlocal.c:54) */
    finish(1, MPI_DOUBLE);

    MPI_Irecv(&flag, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    finish(1, MPI_INT);
    pthread_create(&thread, NULL, in_a_thread, NULL);
    pthread_join(thread, NULL);
    sink = cells[1].value + untouched + flag;
    MPI_Finalize();
    return 0;
}
/* also: type-variable */
