/* The operations and datatypes that own memory until they are complete, and the ways to complete them. */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 32 };

static int rank, other;
static volatile int sink;
static int room[N * N], data[N * N];
static MPI_Request r[2];

/* What both ranks receive while they send it. */
static void send(int count, MPI_Datatype type)
{
    MPI_Send(data, count, type, other, 0, MPI_COMM_WORLD);
}

static void column(void)
{
    MPI_Datatype t;
    MPI_Type_vector(N, 1, N, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Irecv(&room[3], 1, t, other, 0, MPI_COMM_WORLD, r); /* want: reads that memory */
    sink = room[4];                                         /* beside it */
    sink = room[3 + 5 * N];                                 /* note: it is read at column (broken-operations.c:29) */
    send(N, MPI_INT);
    MPI_Type_free(&t);
    MPI_Waitall(1, r, MPI_STATUSES_IGNORE); /* note: it was completed by MPI_Waitall at column (broken-operations.c:32) */
}

static void indexed(void)
{
    MPI_Datatype t;
    int lengths[] = {2, 3}, at[] = {10, 0};
    MPI_Type_indexed(2, lengths, at, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Irecv(room, 1, t, other, 0, MPI_COMM_WORLD, r); /* want: writes to that memory */
    room[3] = room[9] = 1;                              /* between its blocks */
    room[11] = 1;                                       /* note: it is written to at indexed (broken-operations.c:43) */
    send(5, MPI_INT);
    MPI_Type_free(&t);
    int n, at_once[2];
    MPI_Waitsome(1, r, &n, at_once, MPI_STATUSES_IGNORE); /* note: it was completed by MPI_Waitsome */
}

static void subarray(void)
{
    MPI_Datatype t;
    int sizes[] = {N, N}, part[] = {4, 2}, start[] = {1, 8};
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Irecv(room, 1, t, other, 0, MPI_COMM_WORLD, r); /* want: reads that memory */
    sink = room[1 * N + 7] + room[5 * N + 8];           /* beside it */
    sink = room[3 * N + 9];                            /* note: it is read at subarray (broken-operations.c:58) */
    send(8, MPI_INT);
    MPI_Type_free(&t);
    MPI_Wait(r, MPI_STATUS_IGNORE);
}

struct record {
    char kind;
    double value[2];
    int count;
};

static struct record records[4];

static void structure(void)
{
    MPI_Datatype t, whole;
    int lengths[] = {1, 1};
    MPI_Aint at[] = {offsetof(struct record, value[1]), offsetof(struct record, count)};
    MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
    MPI_Type_create_struct(2, lengths, at, types, &t);
    MPI_Type_create_resized(t, 0, sizeof(struct record), &whole);
    MPI_Type_commit(&whole);
    MPI_Irecv(records, 4, whole, other, 0, MPI_COMM_WORLD, r); /* want: writes to that memory */
    records[2].kind = 'x';
    records[2].value[0] = 1;
    records[3].count = 7; /* note: it is written to at structure (broken-operations.c:84) */
    MPI_Send(records, 0, whole, other, 0, MPI_COMM_WORLD);
    MPI_Wait(r, MPI_STATUS_IGNORE);
    MPI_Type_free(&t);
    MPI_Type_free(&whole);
}

static void persistent(void)
{
    MPI_Recv_init(room, N, MPI_INT, other, 0, MPI_COMM_WORLD, r); /* want: MPI_Recv_init with buf (`room`) and reads that memory */
    for (int i = 0; i < 3; i++) {
        sink = room[i];
        MPI_Start(r); /* note: the operation was started by MPI_Start at persistent (broken-operations.c:96) */
        if (i == 1)
            sink = room[5]; /* note: it is read at persistent (broken-operations.c:98) */
        send(N, MPI_INT);
        for (int done = 0; !done;)
            MPI_Test(r, &done, MPI_STATUS_IGNORE); /* note: it was completed by MPI_Test at persistent (broken-operations.c:101) */
    }
    MPI_Request_free(r);
}

static void probed(void)
{
    MPI_Message m;
    MPI_Request s;
    MPI_Isend(data, N, MPI_INT, other, 0, MPI_COMM_WORLD, &s);
    MPI_Mprobe(other, 0, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE);
    MPI_Imrecv(room, N, MPI_INT, &m, r); /* want: MPI_Imrecv with buf (`room`) and writes to that memory */
    room[0] = 1;                         /* note: it is written to at probed (broken-operations.c:113) */
    MPI_Wait(r, MPI_STATUS_IGNORE);
    MPI_Wait(&s, MPI_STATUS_IGNORE);
}

static void broadcast(void)
{
    MPI_Ibcast(room, N, MPI_INT, 0, MPI_COMM_WORLD, r); /* want: MPI_Ibcast with buffer (`room`) and reads that memory */
    if (rank == 1)
        sink = room[1]; /* note: it is read at broadcast (broken-operations.c:122) */
    MPI_Wait(r, MPI_STATUS_IGNORE);
}

static void reduction(void)
{
    MPI_Iallreduce(data, room, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD, r); /* want: MPI_Iallreduce with recvbuf (`room`) and reads that memory */
    sink = data[0];
    sink = room[N - 1]; /* note: it is read at reduction (broken-operations.c:130) */
    MPI_Wait(r, MPI_STATUS_IGNORE);
}

static void in_place(void)
{
    MPI_Iallreduce(MPI_IN_PLACE, room, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD, r); /* want: writes to that memory */
    room[N - 1]--;                                                             /* note: at in_place (broken-operations.c:137) */
    room[3] = 1;                                                               /* note: it is written to at in_place (broken-operations.c:138) */
    MPI_Wait(r, MPI_STATUS_IGNORE);
}

static void gather(void)
{
    MPI_Igather(data, 4, MPI_INT, room, 4, MPI_INT, 1, MPI_COMM_WORLD, r); /* want: MPI_Igather with recvbuf (`room`) and reads that memory */
    sink = room[7];                                                        /* note: it is read at gather (broken-operations.c:145) */
    MPI_Wait(r, MPI_STATUS_IGNORE);
}

static void gather_parts(void)
{
    int counts[] = {3, 4}, at[] = {20, 8};
    MPI_Iallgatherv(data, counts[rank], MPI_INT, room, counts, at, MPI_INT, MPI_COMM_WORLD, r); /* want: MPI_Iallgatherv with recvbuf (`room`) and writes to that memory */
    room[12] = room[19] = 0;
    room[22] = 0; /* note: it is written to at gather_parts (broken-operations.c:154) */
    MPI_Wait(r, MPI_STATUS_IGNORE);
}

static void exchange(void)
{
    int counts[] = {1, 2}, from[] = {0, 4}, to[] = {(int)sizeof(int), 8 * (int)sizeof(int)}, given[2], bytes[2];
    MPI_Datatype types[] = {MPI_INT, MPI_INT};
    for (int i = 0; i < 2; i++) {
        given[i] = counts[rank];
        bytes[i] = from[i] * (int)sizeof(int);
    }
    MPI_Ialltoallw(data, given, bytes, types, room, counts, to, types, MPI_COMM_WORLD, r); /* want: MPI_Ialltoallw with recvbuf (`room`) and reads that memory */
    sink = room[0] + room[2] + room[10];
    sink = room[9]; /* note: it is read at exchange (broken-operations.c:168) */
    MPI_Wait(r, MPI_STATUS_IGNORE);
}

static void scatter(void)
{
    MPI_Iscatter(data, 4, MPI_INT, room, 4, MPI_INT, 0, MPI_COMM_WORLD, r); /* want: MPI_Iscatter with recvbuf (`room`) and writes to that memory */
    room[3] = 0;                                                           /* note: it is written to at scatter (broken-operations.c:175) */
    MPI_Wait(r, MPI_STATUS_IGNORE);
}

static void file(void)
{
    MPI_File f;
    char name[] = "pending-accessed.tmp";
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
    MPI_File_write_at(f, rank * (MPI_Offset)sizeof room, data, N, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_at(f, rank * (MPI_Offset)sizeof room, room, N, MPI_INT, r); /* want: MPI_File_iread_at with buf (`room`) and reads that memory */
    sink = room[2];                                                           /* note: it is read at file (broken-operations.c:186) */
    MPI_Wait(r, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
}

static void never_completed(void)
{
    MPI_Irecv(room, N, MPI_INT, other, 99, MPI_COMM_WORLD, r); /* want: writes to that memory */
    room[0] = 3;                                              /* note: it is written to at never_completed (broken-operations.c:194) */
    MPI_Cancel(r);
    MPI_Wait(r, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    column();
    indexed();
    subarray();
    structure();
    persistent();
    probed();
    broadcast();
    reduction();
    in_place();
    gather();
    gather_parts();
    exchange();
    scatter();
    file();
    never_completed();
    MPI_Finalize();
    return 0;
}
