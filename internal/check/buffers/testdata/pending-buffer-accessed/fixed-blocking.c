/* run: -n 2 */
/* by: unknot -O2 */
/* While a thread is in MPI_Sendrecv, the main thread reads what it sends, and uses the rest of the array into which it receives; the rest it uses afterwards. */
#include <mpi.h>
#include <pthread.h>

enum { CALL = 1, ANSWER, INSIDE, GO };

static int out[4], in[8];

static void *calls(void *unused)
{
    MPI_Sendrecv(out, 4, MPI_INT, 1, CALL, in, 4, MPI_INT, 1, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return unused;
}

static void *changes(void *unused)
{
    MPI_Sendrecv(out, 3, MPI_INT, 1, CALL, in, 4, MPI_INT, 1, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return unused;
}

static int during(void *(*call)(void *), int (*use)(void))
{
    int result;
    pthread_t thread;
    pthread_create(&thread, NULL, call, NULL);
    MPI_Recv(NULL, 0, MPI_INT, 1, INSIDE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    result = use();
    MPI_Send(NULL, 0, MPI_INT, 1, GO, MPI_COMM_WORLD);
    pthread_join(thread, NULL);
    return result;
}

static int reads(void) { return out[1] + in[5]; }

static int writes(void)
{
    in[6] = 3;
    return out[2];
}

static void answers(void)
{
    int theirs[4], mine[4] = {0};
    MPI_Recv(theirs, 4, MPI_INT, 0, CALL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_INT, 0, INSIDE, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_INT, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(mine, 4, MPI_INT, 0, ANSWER, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int me, provided, sum = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0) {
        sum += during(calls, reads);
        sum += during(changes, writes);
        in[2] = out[3] = 3;
        sum += in[1];
    } else {
        answers();
        answers();
    }
    MPI_Finalize();
    return sum > 1000;
}
