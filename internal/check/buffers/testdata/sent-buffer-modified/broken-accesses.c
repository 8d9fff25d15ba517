/* Stores to what is being sent, seen when they are made: a change that is undone in time, and one that writes what was there. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 1 << 16 };

static int rank, other;
static double *large, row[64];
static volatile double sink;
static MPI_Request r[2];

static void begin(double *from, int n)
{
    MPI_Irecv(large + N, n, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(from, n, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[1]); /* want: MPI_Isend with buf (`from`) and writes to that memory before the operation is completed */
} /* note: it is written to at undone (broken-accesses.c:31) */

static void end(void)
{
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void undone(void)
{
    begin(row, 64);
    volatile double *at = &row[7];
    double kept = *at;
    *at = 5; /* here: undone */
    *at = kept;
    end();
}

static void far(void)
{
    MPI_Irecv(large + N, N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(large, N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[1]); /* want: writes to that memory */
    large[N / 2 + 333] = 1;                                          /* note: it is written to at far (broken-accesses.c:40) */
    end();
}

static void same(void)
{
    MPI_Irecv(large + N, N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(large, N, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[1]); /* want: writes to that memory */
    memset(large, 0, 100);                                           /* note: it is written to at same (broken-accesses.c:48) */
    end();
}

static void again(void)
{
    MPI_Request send;
    MPI_Send_init(row, 64, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &send); /* want: MPI_Send_init with buf (`row`) and writes to that memory */
    for (int i = 0; i < 3; i++) {
        row[3] = i;
        MPI_Irecv(large, 64, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Start(&send); /* note: the operation was started by MPI_Start at again (broken-accesses.c:59) */
        if (i == 2)
            row[3] = 2; /* note: it is written to at again (broken-accesses.c:61) */
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        MPI_Wait(&send, MPI_STATUS_IGNORE); /* note: it was completed by MPI_Wait at again (broken-accesses.c:63) */
    }
    MPI_Request_free(&send);
}

static void reduction(void)
{
    double result[64];
    MPI_Iallreduce(row, result, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r[0]); /* want: MPI_Iallreduce with sendbuf (`row`) and writes to that memory */
    row[2] += 1;                                                                /* note: it is written to at reduction (broken-accesses.c:72) */
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    sink = result[0];
}

static void scattered(void)
{
    double part[16];
    MPI_Iscatter(large, 16, MPI_DOUBLE, part, 16, MPI_DOUBLE, 0, MPI_COMM_WORLD, &r[0]); /* want: MPI_Iscatter with sendbuf (`large`) and writes to that memory */
    large[31] = 1;                                                                      /* note: it is written to at scattered (broken-accesses.c:81) */
    large[32] = 1;
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    sink = part[0];
}

static void file(void)
{
    MPI_File f;
    char name[] = "sent-accesses.tmp";
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
    MPI_File_iwrite_at(f, rank * (MPI_Offset)sizeof row, row, 64, MPI_DOUBLE, &r[0]); /* want: MPI_File_iwrite_at with buf (`row`) and writes to that memory */
    row[63] = 9;                                                                     /* note: it is written to at file (broken-accesses.c:93) */
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_File_close(&f);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    large = calloc(2 * N, sizeof *large);
    undone();
    far();
    same();
    again();
    reduction();
    scattered();
    file();
    free(large);
    MPI_Finalize();
    return 0;
}
