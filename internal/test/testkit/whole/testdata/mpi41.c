// What MPI-4.1 has added, used as it should be; with an argument, rank 0 asks forever for a message that rank 1 never sends.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3, SIZE = 4096 };

// Sends from rank 0 to rank 1 whose completion is found by asking: the buffers may be written then, and the requests are still there.
static void ask(int rank, int way)
{
    static int data[N][16];
    MPI_Request r[N];
    for (int i = 0; i < N; i++)
        if (rank == 0)
            MPI_Isend(data[i], 16, MPI_INT, 1, i, MPI_COMM_WORLD, &r[i]);
        else
            MPI_Irecv(data[i], 16, MPI_INT, 0, i, MPI_COMM_WORLD, &r[i]);
    int flag = 0, index = 0, n = 0, indices[N], seen[N] = {0};
    MPI_Status all[N], one;
    if (way == 0) {
        while (!flag)
            MPI_Request_get_status_all(N, r, &flag, all);
        memset(data, 1, sizeof data);
    } else if (way == 1) {
        while (!flag)
            MPI_Request_get_status_any(N, r, &index, &flag, &one);
        memset(data[index], 2, sizeof data[index]);
    } else {
        while (n == 0)
            MPI_Request_get_status_some(N, r, &n, indices, MPI_STATUSES_IGNORE);
        for (int i = 0; i < n; i++)
            memset(data[indices[i]], 3 + seen[indices[i]]++, sizeof data[0]);
    }
    MPI_Waitall(N, r, MPI_STATUSES_IGNORE);
}

// A buffered send through each kind of buffer that is not the process's own memory of a fixed size.
static void buffered(int rank)
{
    int x = rank, y, size;
    void *at;
    MPI_Request r;
    MPI_Comm other;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0);
    MPI_Comm_attach_buffer(other, malloc(SIZE), SIZE);
    MPI_Bsend(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Bsend(&x, 1, MPI_INT, 1 - rank, 0, other);
    MPI_Recv(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&y, 1, MPI_INT, 1 - rank, 0, other, MPI_STATUS_IGNORE);
    MPI_Buffer_flush();
    MPI_Comm_iflush_buffer(other, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Comm_detach_buffer(other, &at, &size);
    free(at);
    MPI_Buffer_detach(&at, &size);
    MPI_Comm_free(&other);
}

int main(int argc, char **argv)
{
    (void)argv;
    int rank, class, flag = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1) {
        MPI_Request r[2];
        int x[2];
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&x[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &r[i]);
        while (!flag)
            MPI_Request_get_status_all(2, r, &flag, MPI_STATUSES_IGNORE); // both ranks ask here
    }
    for (int way = 0; way < 3; way++)
        ask(rank, way);
    buffered(rank);
    MPI_Add_error_class(&class);
    MPI_Remove_error_class(class);
    MPI_Info info;
    MPI_Get_hw_resource_info(&info);
    MPI_Info_free(&info);
    MPI_Status status;
    memset(&status, 0, sizeof status);
    MPI_Status_set_source(&status, 7);
    MPI_Status_set_tag(&status, -5);
    MPI_Status_set_error(&status, MPI_SUCCESS);
#if MPI_VERSION >= 5
    printf("done %d\n", MPI_Comm_toint(MPI_COMM_WORLD) != 0);
#endif
    MPI_Finalize();
}
