/* What a program may do with memory that operations use, and with what lies beside it. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 64 };

static int rank, other;
static volatile double sink;
static struct {
    char before;
    char room[N]; /* not at a multiple of 8 */
    char behind;
} odd;
static double grid[N][N];
static int pair[2];
static MPI_Request r[4];

/* Loads of what is being sent are right. */
static void read_sent(void)
{
    MPI_Irecv(grid[0], N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(grid[1], N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[1]);
    double sum = 0;
    for (int i = 1; i < N; i++)
        for (int k = 0; k < N; k++)
            sum += grid[i][k];
    for (int i = 2; i < N; i++)
        for (int k = 0; k < N; k++)
            grid[i][k] = sum;
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    for (int k = 0; k < N; k++)
        grid[1][k] = grid[0][k] + 1;
    sink = sum;
}

/* Bytes beside a buffer share words of memory with it. */
static void beside(void)
{
    MPI_Irecv(odd.room, N, MPI_CHAR, other, 0, MPI_COMM_WORLD, &r[0]);
    odd.before = odd.behind = 1;
    MPI_Irecv(&pair[0], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r[1]);
    pair[1] = 5;
    char data[N] = {0};
    int value = 3;
    MPI_Send(data, N, MPI_CHAR, other, 0, MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    sink = odd.before + odd.behind + pair[1];
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    sink = odd.room[0] + pair[0];
}

/* Two sends may have one buffer; one of them is complete before the other. */
static void twice(void)
{
    double got[2][N];
    for (int i = 0; i < 2; i++) {
        MPI_Irecv(got[i], N, MPI_DOUBLE, other, i, MPI_COMM_WORLD, &r[i]);
        MPI_Isend(grid[5], N, MPI_DOUBLE, other, i, MPI_COMM_WORLD, &r[2 + i]);
    }
    for (int i = 0; i < 4; i++)
        MPI_Wait(&r[i], MPI_STATUS_IGNORE);
    memset(grid[5], 0, sizeof grid[5]);
    sink = got[0][0] + got[1][N - 1];
}

/* The columns that are not received are the program's. */
static void columns(void)
{
    MPI_Datatype column;
    MPI_Type_vector(N, 1, N, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Irecv(&grid[0][0], 1, column, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&grid[0][N - 2], 1, column, other, 0, MPI_COMM_WORLD, &r[1]);
    for (int i = 0; i < N; i++)
        for (int k = 1; k < N - 2; k++)
            grid[i][k] += grid[i][N - 2];
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; i++)
        grid[i][0] = grid[i][N - 2] = 0;
    MPI_Type_free(&column);
}

/* Every second number is received, the others are the program's: loops over these may not be taken for more than they are. */
static void every_second(void)
{
    MPI_Datatype even;
    double *row = grid[40], sum = 0;
    MPI_Type_vector(N / 2, 1, 2, MPI_DOUBLE, &even);
    MPI_Type_commit(&even);
    MPI_Irecv(row, 1, even, other, 0, MPI_COMM_WORLD, &r[0]);
    for (int i = 0; i < N / 2; i++)
        sum += row[2 * i + 1];
    for (int i = 0; i < N / 2; i++)
        row[2 * i + 1] = sum * i;
    for (int i = 0; i < N / 2; i++)
        row[2 * i + 1] += grid[41][i];
    MPI_Send(grid[42], N / 2, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Type_free(&even);
    sink = sum;
}

int chosen[N], pending, total;

/* A compiler may load a variable before a loop that might use it: that is no access of the program's. */
static void not_chosen(int n)
{
    MPI_Irecv(&pending, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &r[0]);
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (chosen[i])
            sum += pending;
    for (int i = 0; i < n; i++)
        if (chosen[i])
            pending = i;
    total += sum;
    MPI_Send(&sum, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
}

/* A request that a failed test leaves pending, and one that is freed. */
static void tests(void)
{
    int done = 0;
    MPI_Irecv(grid[7], N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Send(grid[8], N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    while (!done) {
        MPI_Test(&r[0], &done, MPI_STATUS_IGNORE);
        if (done)
            grid[7][3] = 1;
        else
            grid[9][3] = 1;
    }
    sink = grid[7][2];
}

/* Each start gives a persistent request its buffer, each completion gives it back. */
static void starts(void)
{
    double in[N], out[N];
    MPI_Recv_init(in, N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Send_init(out, N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[1]);
    for (int step = 0; step < 5; step++) {
        for (int i = 0; i < N; i++)
            out[i] = step;
        MPI_Startall(2, r);
        sink = out[3];
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        for (int i = 0; i < N; i++)
            sink = in[i]++;
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}

static double bounced[N];

/* The program's own function reads and writes what MPI gives it. */
static void sum(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((double *)inout)[i] += ((double *)in)[i];
}

static void own_function(void)
{
    MPI_Op op;
    double result[N];
    MPI_Op_create(sum, 1, &op);
    MPI_Iallreduce(bounced, result, N, MPI_DOUBLE, op, MPI_COMM_WORLD, &r[0]);
    sink = bounced[4];
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    bounced[4] = result[4];
    MPI_Iallreduce(MPI_IN_PLACE, bounced, N, MPI_DOUBLE, op, MPI_COMM_WORLD, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    bounced[5] = 1;
    MPI_Op_free(&op);
}

/* The root's receive buffer is its own elsewhere; what is beyond the data, too. */
static void collectives(void)
{
    int counts[] = {2, 3}, at[] = {4, 10};
    MPI_Igather(grid[0], 4, MPI_DOUBLE, grid[1], 4, MPI_DOUBLE, 0, MPI_COMM_WORLD, &r[0]);
    if (rank != 0)
        grid[1][0] = 1;
    grid[1][8] = 1;
    MPI_Iallgatherv(grid[0], counts[rank], MPI_DOUBLE, grid[2], counts, at, MPI_DOUBLE, MPI_COMM_WORLD, &r[1]);
    grid[2][3] = grid[2][6] = grid[2][9] = grid[2][13] = 1;
    MPI_Ibcast(grid[3], N, MPI_DOUBLE, 0, MPI_COMM_WORLD, &r[2]);
    if (rank == 0)
        sink = grid[3][0];
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    sink = grid[2][4] + grid[3][1];
}

static int wait_for_it(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    MPI_Wait(&r[3], MPI_STATUS_IGNORE);
    return MPI_SUCCESS;
}

/* What MPI calls may complete an operation. */
static void callback(void)
{
    MPI_Comm comm;
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, wait_for_it, &key, NULL);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_attr(comm, key, NULL);
    MPI_Irecv(grid[50], N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[3]);
    MPI_Send(grid[51], N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    MPI_Comm_free(&comm);
    sink = grid[50][1]++;
    MPI_Comm_free_keyval(&key);
}

/* No data, nobody to send to, and memory that is used again. */
static void nothing(void)
{
    double *room = malloc(N * sizeof *room);
    MPI_Irecv(room, N, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[0]);
    room[0] = 1;
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Irecv(room, 0, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[0]);
    room[0] = 2;
    MPI_Send(room, 0, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    free(room);
    room = calloc(N, sizeof *room);
    room[0] = 3;
    sink = room[1];
    free(room);
}

/* A buffered send has taken a copy. */
static void buffered(void)
{
    char *space = malloc(4096);
    MPI_Buffer_attach(space, 4096);
    double out = 1, in;
    MPI_Ibsend(&out, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[0]);
    out = 2;
    MPI_Recv(&in, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&space, &(int){0});
    free(space);
    sink = out + in;
}

static void *worker(void *row)
{
    for (int i = 0; i < N; i++)
        ((double *)row)[i] = i;
    return NULL;
}

/* Threads work on what no operation has. */
static void threads(void)
{
    pthread_t thread;
    MPI_Irecv(grid[20], N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[0]);
    pthread_create(&thread, NULL, worker, grid[21]);
    MPI_Send(grid[19], N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    pthread_join(thread, NULL);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    pthread_create(&thread, NULL, worker, grid[20]);
    pthread_join(thread, NULL);
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < N; i++)
        grid[20][i] += 1;
}

/* A child has its own memory. */
static void child(void)
{
    MPI_Irecv(grid[30], N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[0]);
    if (rank == 0) {
        pid_t pid = fork();
        if (pid == 0) {
            grid[30][0] = 1;
            _exit(0);
        }
    }
    MPI_Send(grid[31], N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    for (int i = 0; i < 3; i++) {
        read_sent();
        beside();
        twice();
        columns();
        every_second();
        not_chosen(N);
        tests();
        starts();
        own_function();
        collectives();
        nothing();
        buffered();
        threads();
    }
    callback();
    child();
    MPI_Finalize();
    return 0;
}
