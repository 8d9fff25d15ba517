/* Loops that go up to a pending buffer, around it, or might reach it and do not. */
#include <mpi.h>

/* run: -n 1 */
/* by: unknot -O3 */
enum { N = 128, ROW = 64 };

static MPI_Request request;
static double vector[N], other[N], grid[ROW][ROW];
static float halves[N];
static int chosen[N], column[N];
static volatile double sink;

#define LOOP __attribute__((noinline)) static void
#define RECEIVE(at, n) MPI_Irecv(at, n, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request)

static void finish(void)
{
    double data = 0;
    MPI_Send(&data, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

LOOP up_to_it(int n)
{
    RECEIVE(vector + n - 1, 1);
    for (int i = 0; i < n - 1; i++)
        vector[i] = i;
    finish();
}

LOOP behind_it(int n)
{
    RECEIVE(vector, 1);
    for (int i = n - 1; i > 0; i--)
        vector[i] = i;
    finish();
}

/* The last element and the pending one share a word of the shadow. */
LOOP half_a_word(int n)
{
    MPI_Irecv(halves + n - 1, 1, MPI_FLOAT, 0, 0, MPI_COMM_SELF, &request);
    for (int i = 0; i < n - 1; i++)
        halves[i] = 1;
    float data = 0;
    MPI_Send(&data, 1, MPI_FLOAT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

LOOP no_turns(int n)
{
    RECEIVE(vector, N);
    for (int i = 0; i < n - N; i++)
        vector[i] = i;
    for (int i = n - N; i > 0; i--)
        vector[i] = i;
    finish();
}

LOOP between(int n)
{
    RECEIVE(vector + 100, 1);
    for (int i = 0; i < n; i += 3)
        vector[i] = 1;
    for (int y = 0; y < ROW; y++)
        grid[y][3] = vector[99];
    finish();
}

LOOP another_column(int x)
{
    RECEIVE(&grid[41][x + 1], 1);
    for (int y = 0; y < ROW; y++)
        grid[y][x] = y;
    finish();
}

LOOP other_rows(int n)
{
    RECEIVE(grid[7], ROW);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < (y == 7 ? 0 : ROW); x++)
            grid[y][x] += 1;
    finish();
}

LOOP inner_rows(int n)
{
    RECEIVE(grid[0], ROW);
    for (int y = 2; y < n - 1; y++)
        for (int x = 1; x < ROW - 1; x++)
            grid[y][x] = grid[y - 1][x] + grid[y + 1][x] + grid[y][x - 1] + grid[y][x + 1];
    finish();
}

LOOP not_chosen(int n)
{
    RECEIVE(vector + 9, 1);
    for (int i = 0; i < n; i++)
        if (chosen[i])
            vector[i] = 1;
    finish();
}

LOOP not_gathered(int n)
{
    RECEIVE(other + 3, 1);
    for (int i = 0; i < n; i++)
        vector[i] = other[column[i]];
    finish();
}

LOOP loads_of_what_is_sent(int n)
{
    MPI_Isend(vector, n, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += vector[i];
    sink = sum;
    MPI_Recv(other, n, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc > 0 ? N : 0;
    chosen[10] = chosen[8] = 1;
    for (int i = 0; i < n; i++)
        column[i] = i == 3 ? 4 : i;
    up_to_it(n);
    behind_it(n);
    half_a_word(n);
    no_turns(n);
    between(n);
    another_column(argc);
    other_rows(n / 2);
    inner_rows(n / 2);
    not_chosen(n);
    not_gathered(n);
    loads_of_what_is_sent(n);
    MPI_Finalize();
    return 0;
}
