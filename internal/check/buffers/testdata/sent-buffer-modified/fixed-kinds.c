/* What is not sent may be changed: gaps, a buffer that MPI has copied, data between two starts, or after any completion. */
#include <mpi.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { MANY = 1 << 20 };

int main(int argc, char **argv)
{
    int rank, other, done = 0, n, at[4], m[4][4] = {{0}}, a[4] = {0}, b[8], sum[4], *block;
    char *large = calloc(MANY, 1), *room = malloc(MANY), space[256];
    MPI_Datatype column, twice, absolute;
    MPI_Aint place;
    MPI_Request r[4], p;

    MPI_Init(&argc, &argv); /* run: -n 2 --check-sent-buffers --check-memory */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);

    MPI_Irecv(b, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&m[0][1], 1, column, other, 0, MPI_COMM_WORLD, &r[1]);
    m[0][0] = m[1][2] = m[3][3] = 7;
    MPI_Type_free(&column);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    m[0][1] = 1;

    /* As much data as it reaches over, and yet a gap: the first number is sent twice. */
    MPI_Type_create_hindexed(3, (int[]){1, 1, 1}, (MPI_Aint[]){0, 0, 8}, MPI_INT, &twice);
    MPI_Type_commit(&twice);
    MPI_Irecv(b, 3, MPI_INT, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(a, 1, twice, other, 0, MPI_COMM_WORLD, &r[1]);
    a[1]++;
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Type_free(&twice);

    /* Sends that a library is done with at once may have one handle; each is complete by itself. */
    for (int i = 0; i < 4; i++)
        MPI_Isend(&a[i], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r[i]);
    for (int i = 0; i < 4; i++)
        MPI_Recv(&b[i], 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++) {
        MPI_Wait(&r[i], MPI_STATUS_IGNORE);
        a[i] += 5;
    }
    for (int i = 0; i < 4; i++)
        MPI_Isend(&a[i], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r[i]);
    for (int i = 0; i < 4; i++)
        MPI_Recv(&b[i], 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int left = 4; left > 0;) {
        MPI_Testsome(4, r, &n, at, MPI_STATUSES_IGNORE);
        for (int i = 0; i < n; i++, left--)
            a[at[i]]++;
    }

    MPI_Send_init(a, 4, MPI_INT, other, 2, MPI_COMM_WORLD, &p);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&p);
        MPI_Recv(b, 4, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (done = 0; !done;)
            MPI_Request_get_status(p, &done, MPI_STATUS_IGNORE);
        a[0] += i;
        MPI_Wait(&p, MPI_STATUS_IGNORE);
        a[0] += i;
    }
    MPI_Request_free(&p);

    /* A request of another kind may get the handle of a send that has been freed. */
    MPI_Isend(a, 4, MPI_INT, other, 3, MPI_COMM_WORLD, &p);
    MPI_Recv(b, 4, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&p, MPI_STATUS_IGNORE);
    a[1]++;
    for (int i = 0; i < 8; i++) {
        MPI_Irecv(b, 4, MPI_INT, other, 3, MPI_COMM_WORLD, &p);
        MPI_Send(a, 4, MPI_INT, other, 3, MPI_COMM_WORLD);
        a[1]++;
        MPI_Wait(&p, MPI_STATUS_IGNORE);
    }

    MPI_Buffer_attach(space, sizeof space);
    MPI_Ibsend(a, 4, MPI_INT, other, 4, MPI_COMM_WORLD, &p);
    MPI_Recv(b, 4, MPI_INT, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&p, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&block, &n);

    /* An absolute type, large data, data that is unmapped after it was sent, and a sum in place. */
    MPI_Get_address(large, &place);
    MPI_Type_create_hindexed(1, &(int){MANY}, &place, MPI_CHAR, &absolute);
    MPI_Type_commit(&absolute);
    MPI_Irecv(room, MANY, MPI_CHAR, other, 5, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(MPI_BOTTOM, 1, absolute, other, 5, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Type_free(&absolute);
    free(large);
    large = mmap(NULL, MANY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MPI_Irecv(room, MANY, MPI_CHAR, other, 6, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(large, MANY, MPI_CHAR, other, 6, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    munmap(large, MANY);
    MPI_Iallreduce(MPI_IN_PLACE, sum, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Finalize();
    free(room);
    return 0;
}
