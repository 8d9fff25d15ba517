/* Loops that reach a pending buffer with one of their elements, or more; each is asked about before it is run. */
#include <mpi.h>

/* run: -n 1 */
/* by: unknot -O3 */
enum { N = 128, ROW = 64 };

static MPI_Request request;
static double vector[N], other[N + 2], grid[ROW][ROW];
static int chosen[N], column[N], bound = N;
static volatile double sink;

#define LOOP __attribute__((noinline)) static void

static void finish(void)
{
    double data = 0;
    MPI_Send(&data, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

#define RECEIVE(at, n) MPI_Irecv(at, n, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request)

LOOP first_element(int n)
{
    RECEIVE(vector, 1); /* want: writes to that memory */
    for (int i = 0; i < n; i++)
        vector[i] = i; /* note: it is written to at first_element (broken-loops.c:28) */
    finish();
}

LOOP last_element(int n)
{
    RECEIVE(vector + n - 1, 1); /* want: reads that memory */
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += vector[i]; /* note: it is read at last_element (broken-loops.c:37) */
    sink = sum;
    finish();
}

LOOP in_the_middle(unsigned n)
{
    RECEIVE(vector + 77, 1); /* want: reads that memory */
    for (unsigned i = 0; i < n; i++)
        vector[i] += 1; /* note: it is read at in_the_middle (broken-loops.c:46) */
    finish();
}

LOOP backwards(int n)
{
    RECEIVE(vector, 1); /* want: writes to that memory */
    for (int i = n - 1; i >= 0; i--)
        vector[i] = i; /* note: it is written to at backwards (broken-loops.c:54) */
    finish();
}

LOOP neighbour(int n)
{
    RECEIVE(other + n + 1, 1); /* want: reads that memory */
    for (int i = 1; i <= n; i++)
        vector[i - 1] = other[i - 1] +
                        other[i] +
                        other[i + 1]; /* note: it is read at neighbour (broken-loops.c:64) */
    finish();
}

LOOP every_third(int n)
{
    RECEIVE(vector + 99, 1); /* want: writes to that memory */
    for (int i = 0; i < n; i += 3)
        vector[i] = 1; /* note: it is written to at every_third (broken-loops.c:72) */
    finish();
}

LOOP down_a_column(int x)
{
    RECEIVE(&grid[41][x], 1); /* want: writes to that memory */
    for (int y = 0; y < ROW; y++)
        grid[y][x] = y; /* note: it is written to at down_a_column (broken-loops.c:80) */
    finish();
}

LOOP one_row(int n)
{
    RECEIVE(grid[7], ROW); /* want: reads that memory */
    double sum = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < ROW; x++)
            sum += grid[y][x]; /* note: it is read at one_row (broken-loops.c:90) */
    sink = sum;
    finish();
}

LOOP few_turns(int n)
{
    RECEIVE(vector + 4, 1); /* want: writes to that memory */
    for (int i = 0; i < n / 16; i++)
        vector[i] = 1; /* note: it is written to at few_turns (broken-loops.c:99) */
    finish();
}

LOOP if_chosen(int n)
{
    RECEIVE(vector + 9, 1); /* want: writes to that memory */
    for (int i = 0; i < n; i++)
        if (chosen[i])
            vector[i] = 1; /* note: it is written to at if_chosen (broken-loops.c:108) */
    finish();
}

LOOP gathered(int n)
{
    RECEIVE(other + 3, 1); /* want: reads that memory */
    for (int i = 0; i < n; i++)
        vector[i] = other[column[i]]; /* note: it is read at gathered (broken-loops.c:116) */
    finish();
}

LOOP gathering(int n)
{
    RECEIVE(vector + 3, 1); /* want: writes to that memory */
    for (int i = 0; i < n; i++)
        vector[i] = other[column[i]]; /* note: it is written to at gathering (broken-loops.c:124) */
    finish();
}

LOOP bound_in_memory(double *to)
{
    RECEIVE(to + bound - 1, 1); /* want: writes to that memory */
    for (int i = 0; i < bound; i++)
        to[i] = 1; /* note: it is written to at bound_in_memory (broken-loops.c:132) */
    finish();
}

/* The bound itself is pending: it is loaded in each turn, or before the loop. */
LOOP pending_bound(int *last, double *to)
{
    MPI_Irecv(last, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request); /* want: reads that memory */
    for (int i = 0; i < *last; i++) /* note: it is read at pending_bound (broken-loops.c:140) */
        to[i] = 1;
    MPI_Send(&bound, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int last = N, n = argc > 0 ? N : 0;
    chosen[9] = 1;
    for (int i = 0; i < n; i++)
        column[i] = N - 1 - i;
    first_element(n);
    last_element(n);
    in_the_middle((unsigned)n);
    backwards(n);
    neighbour(n);
    every_third(n);
    down_a_column(argc);
    one_row(n / 2);
    few_turns(n);
    if_chosen(n);
    gathered(n);
    gathering(n);
    bound_in_memory(vector);
    pending_bound(&last, vector);
    MPI_Finalize();
    return 0;
}
