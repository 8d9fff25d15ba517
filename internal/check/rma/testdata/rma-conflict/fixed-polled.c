/* run: -n 4 */
/* Word of what is complete comes to ranks that ask for it, that send to it, or that exchange: MPI_Test, MPI_Testsome, MPI_Iprobe, MPI_Improbe, MPI_Probe,
   MPI_Ssend, MPI_Sendrecv, persistent requests. */
#include <mpi.h>

static MPI_Win win;
static int rank, value = 1;

static void put(int place)
{
    MPI_Put(&value, 1, MPI_INT, 1, place, 1, MPI_INT, win);
    MPI_Win_flush(1, win);
}

static void send(int to) { MPI_Send(&value, 1, MPI_INT, to, 0, MPI_COMM_WORLD); }

static void receive(int from)
{
    int got;
    MPI_Recv(&got, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int *base, flag, got[2], n, index[2], done;
    MPI_Request r[2];
    MPI_Status statuses[2];
    MPI_Message message;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);

    for (int turn = 0; turn < 4; turn++) {
        if (rank == turn)
            put(0);
        MPI_Ibarrier(MPI_COMM_WORLD, &r[0]);
        do
            MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
        while (!flag);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0 || rank == 3) {
        put(1 + rank);
        send(2);
    } else if (rank == 2) {
        MPI_Irecv(&got[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&got[1], 1, MPI_INT, 3, 0, MPI_COMM_WORLD, &r[1]);
        for (done = 0; done < 2;) {
            MPI_Testsome(2, r, &n, index, statuses);
            for (int i = 0; i < n; i++, done++)
                put(index[i] == 0 ? 1 : 4);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0) {
        put(5);
        send(2);
        put(6);
        send(2);
        put(7);
        send(2);
    } else if (rank == 2) {
        do
            MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        while (!flag);
        put(5);
        receive(0);
        do
            MPI_Improbe(0, 0, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
        while (!flag);
        put(6);
        MPI_Mrecv(&got[0], 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        MPI_Probe(0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        put(7);
        receive(0);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    /* A send of synchronous mode is complete when its receive has been started. */
    if (rank == 0) {
        put(8);
        receive(2);
        put(9);
        MPI_Sendrecv(&value, 1, MPI_INT, 2, 0, &got[0], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Ssend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        put(8);
        MPI_Sendrecv(&value, 1, MPI_INT, 0, 0, &got[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        put(9);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        MPI_Send_init(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r[0]);
    if (rank == 2)
        MPI_Recv_init(&got[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[0]);
    for (int i = 10; i < 13; i++) {
        if (rank == 0)
            put(i);
        if (rank == 0 || rank == 2) {
            MPI_Start(&r[0]);
            MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        }
        if (rank == 2)
            put(i);
    }
    if (rank == 0 || rank == 2)
        MPI_Request_free(&r[0]);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
