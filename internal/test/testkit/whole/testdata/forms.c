/* Every form of a receive from any source, each twice, when messages of both other ranks are there. Prints whom each met. */
#include <mpi.h>
#include <stdio.h>

static int rank, tag, two[2];

/* Lets rank 0 go on when it has a message of each of the others. */
static int both(void)
{
    int go = 0;

    tag++;
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(&go, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    } else {
        MPI_Probe(1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&go, 1, MPI_INT, 2, tag, MPI_COMM_WORLD);
        MPI_Probe(2, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return rank == 0;
}

static void met(int i, const int *value, const MPI_Status *status)
{
    int n;

    two[i] = status->MPI_SOURCE;
    MPI_Get_count(status, MPI_INT, &n);
    if (value && (*value != two[i] || n != 1))
        printf("message of %d, status says %d\n", *value, two[i]);
}

static void tell(const char *form)
{
    printf("%s met %d %d\n", form, two[0], two[1]);
}

#define ANY MPI_ANY_SOURCE, tag, MPI_COMM_WORLD

int main(int argc, char **argv)
{
    int x, y, flag, found;
    MPI_Status s, two_statuses[2];
    MPI_Request r, several[2];
    MPI_Message m;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (both()) {
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&x, 1, MPI_INT, ANY, &s);
            met(i, &x, &s);
        }
        tell("MPI_Recv");
    }
    if (both()) { /* polls that find nothing do not count */
        for (int i = 0; i < 5; i++)
            MPI_Iprobe(MPI_ANY_SOURCE, 1000 + i % 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        for (int i = 0; i < 2; i++) {
            for (found = 0; !found;)
                MPI_Iprobe(ANY, &found, &s);
            met(i, NULL, &s);
            MPI_Recv(&x, 1, MPI_INT, s.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        tell("MPI_Iprobe");
    }
    if (both()) {
        for (int i = 0; i < 2; i++) {
            MPI_Irecv(&x, 1, MPI_INT, ANY, &r);
            MPI_Wait(&r, &s);
            met(i, &x, &s);
        }
        tell("MPI_Irecv");
    }
    if (both()) {
        MPI_Irecv(&x, 1, MPI_INT, ANY, &several[0]);
        MPI_Irecv(&y, 1, MPI_INT, ANY, &several[1]);
        MPI_Waitall(2, several, two_statuses);
        met(0, &x, &two_statuses[0]);
        met(1, &y, &two_statuses[1]);
        tell("MPI_Irecv and MPI_Waitall");
    }
    if (both()) {
        for (int i = 0; i < 2; i++) {
            MPI_Probe(ANY, &s);
            met(i, NULL, &s);
            MPI_Recv(&x, 1, MPI_INT, s.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        tell("MPI_Probe");
    }
    if (both()) {
        for (int i = 0; i < 2; i++) {
            MPI_Mprobe(ANY, &m, MPI_STATUS_IGNORE);
            MPI_Mrecv(&x, 1, MPI_INT, &m, &s);
            met(i, &x, &s);
        }
        tell("MPI_Mprobe");
    }
    if (both()) {
        for (int i = 0; i < 2; i++) {
            for (found = 0; !found;)
                MPI_Improbe(ANY, &found, &m, MPI_STATUS_IGNORE);
            MPI_Mrecv(&x, 1, MPI_INT, &m, &s);
            met(i, &x, &s);
        }
        tell("MPI_Improbe");
    }
    if (both()) {
        for (int i = 0; i < 2; i++) {
            MPI_Sendrecv(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, &x, 1, MPI_INT, ANY, &s);
            met(i, &x, &s);
        }
        tell("MPI_Sendrecv");
    }
    if (both()) {
        for (int i = 0; i < 2; i++) {
            x = rank;
            MPI_Sendrecv_replace(&x, 1, MPI_INT, MPI_PROC_NULL, 0, ANY, &s);
            met(i, &x, &s);
        }
        tell("MPI_Sendrecv_replace");
    }
    if (both()) {
        MPI_Datatype type; /* may be freed while the request lives (MPI-4.0, 5.1.9) */
        MPI_Type_contiguous(1, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Recv_init(&x, 1, type, ANY, &r);
        MPI_Type_free(&type);
        for (int i = 0; i < 2; i++) {
            MPI_Start(&r);
            MPI_Wait(&r, &s);
            met(i, &x, &s);
        }
        MPI_Request_free(&r);
        tell("MPI_Start");
    }
    if (both()) {
        MPI_Recv_init(&x, 1, MPI_INT, ANY, &several[0]);
        MPI_Recv_init(&y, 1, MPI_INT, ANY, &several[1]);
        MPI_Startall(2, several);
        MPI_Waitall(2, several, two_statuses);
        met(0, &x, &two_statuses[0]);
        met(1, &y, &two_statuses[1]);
        MPI_Request_free(&several[0]);
        MPI_Request_free(&several[1]);
        tell("MPI_Startall");
    }
#if MPI_VERSION >= 4
    if (both()) {
        for (int i = 0; i < 2; i++) {
            MPI_Isendrecv(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, &x, 1, MPI_INT, ANY, &r);
            MPI_Wait(&r, &s);
            met(i, &x, &s);
        }
        tell("MPI_Isendrecv");
    }
    if (both()) {
        for (int i = 0; i < 2; i++) {
            MPI_Isendrecv_replace(&x, 1, MPI_INT, MPI_PROC_NULL, 0, ANY, &r);
            MPI_Wait(&r, &s);
            met(i, &x, &s);
        }
        tell("MPI_Isendrecv_replace");
    }
    if (both()) {
        MPI_Recv_c(&x, 1, MPI_INT, ANY, &s);
        met(0, &x, &s);
        MPI_Irecv_c(&x, 1, MPI_INT, ANY, &r);
        MPI_Wait(&r, &s);
        met(1, &x, &s);
        tell("MPI_Recv_c and MPI_Irecv_c");
    }
    if (both()) {
        MPI_Sendrecv_c(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, &x, 1, MPI_INT, ANY, &s);
        met(0, &x, &s);
        MPI_Sendrecv_replace_c(&x, 1, MPI_INT, MPI_PROC_NULL, 0, ANY, &s);
        met(1, &x, &s);
        tell("MPI_Sendrecv_c and MPI_Sendrecv_replace_c");
    }
    if (both()) {
        MPI_Recv_init_c(&x, 1, MPI_INT, ANY, &r);
        for (int i = 0; i < 2; i++) {
            MPI_Start(&r);
            MPI_Wait(&r, &s);
            met(i, &x, &s);
        }
        MPI_Request_free(&r);
        tell("MPI_Recv_init_c");
    }
#endif
    MPI_Finalize();
    return 0;
}
