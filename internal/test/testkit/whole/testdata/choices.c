/* Calls of which MPI may choose what they report, a number of each: what they have reported is printed. Run with the name of a
 * call, whether the messages are ready before the first one or late, and the number. */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static MPI_Request r[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
static int data[3];

static void several(const char *form, int k, int flag, int n, const int *at, const MPI_Status *s)
{
    printf("%s %d: flag %d", form, k, flag);
    for (int i = 0; flag && i < n; i++)
        printf(", %d from %d", at[i], s[i].MPI_SOURCE);
    printf("\n");
}

static void one(const char *form, int k)
{
    int flag = 1, n = 0, at[3] = {0, 1, 2};
    MPI_Status s[3];
    MPI_Message m;
    memset(s, 0, sizeof s);
    if (strcmp(form, "test") == 0) {
        MPI_Test(&r[0], &flag, s); /* test */
        several(form, k, flag, 1, at, s);
    } else if (strcmp(form, "testall") == 0) {
        MPI_Testall(2, r, &flag, s); /* testall */
        several(form, k, flag, 2, at, s);
    } else if (strcmp(form, "testany") == 0) {
        MPI_Testany(3, r, at, &flag, s); /* testany */
        several(form, k, flag, 1, at, s);
    } else if (strcmp(form, "waitany") == 0) {
        MPI_Waitany(3, r, at, s); /* waitany */
        several(form, k, flag, 1, at, s);
    } else if (strcmp(form, "testsome") == 0) {
        MPI_Testsome(3, r, &n, at, s); /* testsome */
        several(form, k, n != 0, n, at, s);
    } else if (strcmp(form, "waitsome") == 0) {
        MPI_Waitsome(3, r, &n, at, s); /* waitsome */
        several(form, k, n != 0, n, at, s);
    } else if (strcmp(form, "iprobe") == 0) {
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, s); /* iprobe */
        several(form, k, flag, 1, at, s);
        if (flag)
            MPI_Recv(&data[0], 1, MPI_INT, s[0].MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(form, "improbe") == 0) {
        MPI_Improbe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, &m, s); /* improbe */
        several(form, k, flag, 1, at, s);
        if (flag)
            MPI_Mrecv(&data[0], 1, MPI_INT, &m, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank, left = 0, flag = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int ready = argc > 2 && strcmp(argv[2], "ready") == 0, probes = argc > 1 && strstr(argv[1], "probe") != NULL;
    if (rank == 0 && argc > 3) {
        for (int i = 0; i < 2 && !probes; i++)
            MPI_Irecv(&data[i], 1, MPI_INT, i + 1, 1, MPI_COMM_WORLD, &r[i]);
        for (int i = 1; i < 3 && ready; i++)
            MPI_Recv(NULL, 0, MPI_INT, i, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int k = 0; k < atoi(argv[3]); k++)
            one(argv[1], k);
        fflush(stdout);
        MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
        for (int i = 1; i < 3; i++)
            MPI_Send(NULL, 0, MPI_INT, i, 3, MPI_COMM_WORLD);
        while (probes && flag) { /* those that nobody has received */
            MPI_Status s;
            MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, &s);
            if (flag)
                MPI_Recv(&left, 1, MPI_INT, s.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else if (rank > 0) {
        if (!ready)
            usleep(200000);
        if (argc <= 4 || rank != atoi(argv[4])) /* this one never sends */
            MPI_Isend(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r[0]);
        if (ready)
            MPI_Ssend(NULL, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
