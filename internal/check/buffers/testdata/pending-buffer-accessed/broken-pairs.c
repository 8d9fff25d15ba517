/* Buffers of values with their indices: a gap within them is the program's own. */
#include <mpi.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 4 };

static struct {
    double value;
    int index;
} doubles[N], given_doubles[N];
static struct {
    short value;
    int index;
} shorts[N], given_shorts[N];
static struct {
    long value;
    int index;
} longs[N];
static int rank, other;
static volatile int sink;

int main(int argc, char **argv)
{
    MPI_Request r[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Irecv(doubles, N, MPI_DOUBLE_INT, other, 0, MPI_COMM_WORLD, &r[0]); /* want: MPI_Irecv with buf (`doubles`) and reads that memory */
    sink = doubles[N - 1].index;                                           /* note: it is read at main (broken-pairs.c:31) */
    ((char *)&doubles[1])[12] = 1;
    MPI_Irecv(shorts, N, MPI_SHORT_INT, other, 1, MPI_COMM_WORLD, &r[1]); /* want: MPI_Irecv with buf (`shorts`) and writes to that memory */
    ((char *)&shorts[1])[2] = 1;
    shorts[1].index = 2;                                                       /* note: it is written to at main (broken-pairs.c:35) */
    MPI_Iallreduce(MPI_IN_PLACE, longs, N, MPI_LONG_INT, MPI_MINLOC, MPI_COMM_WORLD, &r[2]); /* want: MPI_Iallreduce with recvbuf (`longs`) and writes to that memory */
    longs[0].value = 1;                                                                     /* note: it is written to at main (broken-pairs.c:37) */
    MPI_Send(given_doubles, N, MPI_DOUBLE_INT, other, 0, MPI_COMM_WORLD);
    MPI_Send(given_shorts, N, MPI_SHORT_INT, other, 1, MPI_COMM_WORLD);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
