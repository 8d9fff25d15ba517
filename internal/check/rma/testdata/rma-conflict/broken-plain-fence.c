/* The owner of a window loads from its memory and stores to it in epochs in which another rank uses it. */
#include <mpi.h>
#include <string.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 64 };
struct pair {
    double a, b;
};

static int rank, ints[N];
static volatile int sink;
static double *memory, mine[N], sum, one = 1, got[2];
static int old, now = 1, was;
static struct pair kept;
static MPI_Win win;

static void put_and_load(void)
{
    if (rank == 0)
        MPI_Put(mine, 4, MPI_DOUBLE, 1, 0, 4, MPI_DOUBLE, win); /* want: Rank 0 calls MPI_Put, which writes bytes 16 to 23 of the window of rank 1; in the same epoch rank 1 reads them itself */
    else
        sum += memory[2]; /* note: it is read at put_and_load (broken-plain-fence.c:24) */
}

static void put_and_store(void)
{
    if (rank == 0)
        MPI_Put(mine, 4, MPI_DOUBLE, 1, 4, 4, MPI_DOUBLE, win); /* want: writes bytes 56 to 63 of the window of rank 1; in the same epoch rank 1 writes to them itself */
    else
        memory[7] = 1; /* note: it is written to at put_and_store (broken-plain-fence.c:32) */
}

static void get_and_store(void)
{
    if (rank == 0)
        MPI_Get(mine, N, MPI_DOUBLE, 1, 0, N, MPI_DOUBLE, win); /* want: Rank 0 calls MPI_Get, which reads bytes 0 to 511 of the window of rank 1; in the same epoch rank 1 writes to them itself */
    else
        for (int i = 0; i < N; i++)
            memory[i] = i; /* note: it is written to at get_and_store (broken-plain-fence.c:41) */
}

static void accumulate_and_load(void)
{
    if (rank == 0) {
        MPI_Accumulate(mine, N, MPI_DOUBLE, 1, 0, N, MPI_DOUBLE, MPI_SUM, win); /* want: Rank 0 calls MPI_Accumulate, which updates bytes 0 to 511 of the window of rank 1; in the same epoch rank 1 reads them itself */
    } else {
        double s = 0;
        for (int i = 0; i < N; i++)
            s += memory[i]; /* note: it is read at accumulate_and_load (broken-plain-fence.c:51) */
        sum = s;
    }
}

static void accumulate_and_store(void)
{
    if (rank == 0)
        MPI_Accumulate(mine, 1, MPI_DOUBLE, 1, 5, 1, MPI_DOUBLE, MPI_SUM, win); /* want: in the same epoch rank 1 writes to them itself */
    else
        memset(&memory[4], 0, 4 * sizeof *memory); /* note: it is written to at accumulate_and_store (broken-plain-fence.c:61) */
}

static void fetch_and_load(void)
{
    if (rank == 0)
        MPI_Fetch_and_op(&one, got, MPI_DOUBLE, 1, 9, MPI_SUM, win); /* want: Rank 0 calls MPI_Fetch_and_op, which updates bytes 72 to 79 of the window of rank 1; in the same epoch rank 1 reads them itself */
    else
        memcpy(mine, &memory[8], 2 * sizeof *memory); /* note: it is read at fetch_and_load (broken-plain-fence.c:69) */
}

static void no_op_and_store(void)
{
    if (rank == 0)
        MPI_Get_accumulate(NULL, 0, MPI_DOUBLE, got, 2, MPI_DOUBLE, 1, 0, 2, MPI_DOUBLE, MPI_NO_OP, win); /* want: in the same epoch rank 1 writes to them itself */
    else
        memory[1]++; /* note: it is written to at no_op_and_store (broken-plain-fence.c:77) */
}

static void compare_and_store(void)
{
    if (rank == 0)
        MPI_Compare_and_swap(&now, &old, &was, MPI_INT, 1, 3, win); /* want: Rank 0 calls MPI_Compare_and_swap */
    else
        ((int *)memory)[6] = 0; /* note: it is written to at compare_and_store (broken-plain-fence.c:85) */
}

static void column(void)
{
    MPI_Datatype every_eighth;
    MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &every_eighth);
    MPI_Type_commit(&every_eighth);
    if (rank == 0)
        MPI_Put(mine, 8, MPI_DOUBLE, 1, 3, 1, every_eighth, win); /* want: writes some of bytes 24 to 479 of the window of rank 1; in the same epoch rank 1 reads them itself */
    else
        for (int i = 0; i < 8; i++)
            sink = (int)memory[8 * i + 3]; /* note: it is read at column (broken-plain-fence.c:97) */
    MPI_Type_free(&every_eighth);
}

static void structure(void)
{
    if (rank == 0)
        MPI_Put(mine, 1, MPI_DOUBLE, 1, 11, 1, MPI_DOUBLE, win); /* want: in the same epoch rank 1 reads them itself */
    else
        kept = *(struct pair *)&memory[10]; /* note: it is read at structure (broken-plain-fence.c:106) */
}

static void scale(double *x, int n);

static void callee(void)
{
    if (rank == 0)
        MPI_Put(mine, 2, MPI_DOUBLE, 1, 30, 2, MPI_DOUBLE, win); /* want: in the same epoch rank 1 */
    else
        scale(&memory[16], 16);
}

__attribute__((noinline)) static void scale(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] *= 2; /* note: at scale (broken-plain-fence.c:122) */
}

static void bytes(void)
{
    if (rank == 0)
        MPI_Put(ints, 1, MPI_BYTE, 1, 5, 1, MPI_BYTE, win); /* want: writes byte 40 of the window of rank 1; in the same epoch rank 1 writes to it itself */
    else
        ((char *)memory)[40] = 'x'; /* note: it is written to at bytes (broken-plain-fence.c:130) */
}

static void itself(void)
{
    if (rank == 1) {
        MPI_Put(mine, 1, MPI_DOUBLE, 1, 6, 1, MPI_DOUBLE, win); /* want: Rank 1 calls MPI_Put, which writes bytes 48 to 55 of its own window; in the same epoch it also reads them itself */
        sum = memory[6];                                        /* note: it is read at itself (broken-plain-fence.c:137) */
    }
}

int main(int argc, char **argv)
{
    /* Loops first: in those, not all is looked at after the eighth call at one place (docs/accesses.md). */
    static void (*const cases[])(void) = {callee, column, put_and_load, put_and_store, get_and_store, accumulate_and_load, accumulate_and_store,
                                          fetch_and_load, no_op_and_store, compare_and_store, structure, bytes, itself};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memset(memory, 0, N * sizeof *memory);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        MPI_Win_fence(0, win);
        cases[i]();
    }
    MPI_Win_fence(0, win);
    sink = (int)(sum + kept.a + kept.b);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
