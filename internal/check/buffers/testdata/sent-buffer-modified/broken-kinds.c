/* Persistent sends, types with gaps, large data, collectives, and all ways to complete. */
#include <mpi.h>
#include <stdlib.h>

enum { MANY = 1 << 20 };

int main(int argc, char **argv)
{
    int rank, other, done = 0, n, at[2], m[4][4] = {{0}}, a[4] = {0}, b[4], sum[4];
    char *large = calloc(MANY, 1), *room = malloc(MANY);
    MPI_Datatype column;
    MPI_Request r[2], p;

    MPI_Init(&argc, &argv); /* run: -n 2 --check-sent-buffers */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);

    MPI_Irecv(b, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&m[0][1], 1, column, other, 0, MPI_COMM_WORLD, &r[1]); /* want: MPI_Isend with buf (`&m[0][1]`) and changes the data */
    MPI_Type_free(&column);                                          /* note: the first change is among the bytes 8 to 15 of the data without its gaps */
    m[2][1] = 7;
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE); /* note: it was completed by MPI_Waitall at main (broken-kinds.c:24) */

    MPI_Irecv(room, MANY, MPI_CHAR, other, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(large, MANY, MPI_CHAR, other, 1, MPI_COMM_WORLD, &r[1]); /* want: MPI_Isend with buf (`large`) and changes the data */
    large[MANY - 1] = 1;                                               /* note: the first change is among the bytes 1047552 to 1048575 of the data */
    for (int left = 2; left > 0; left -= n)
        MPI_Waitsome(2, r, &n, at, MPI_STATUSES_IGNORE);

    MPI_Send_init(a, 4, MPI_INT, other, 2, MPI_COMM_WORLD, &p); /* want: MPI_Send_init with buf (`a`) and changes the data */
    for (int i = 0; i < 2; i++) {
        MPI_Start(&p); /* note: it was started by MPI_Start at main (broken-kinds.c:34) */
        a[0] += i;
        MPI_Recv(b, 4, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (done = 0; !done;)
            MPI_Test(&p, &done, MPI_STATUS_IGNORE); /* note: it was completed by MPI_Test at main (broken-kinds.c:38) */
    }
    MPI_Request_free(&p);

    MPI_Irecv(b, 4, MPI_INT, other, 3, MPI_COMM_WORLD, &r[0]);
    MPI_Issend(a, 4, MPI_INT, other, 3, MPI_COMM_WORLD, &r[1]); /* want: MPI_Issend with buf (`a`) and changes the data */
    a[3]++;
    MPI_Waitany(2, r, &n, MPI_STATUS_IGNORE);
    MPI_Waitany(2, r, &n, MPI_STATUS_IGNORE); /* note: it was completed by MPI_Waitany at main (broken-kinds.c:4 */

    MPI_Iallreduce(a, sum, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[0]); /* want: MPI_Iallreduce with sendbuf (`a`) and changes the data */
    a[0]++;
    for (done = 0; !done;)
        MPI_Testall(1, r, &done, MPI_STATUSES_IGNORE); /* note: it was completed by MPI_Testall at main (broken-kinds.c:51) */
    MPI_Finalize();
    free(large);
    free(room);
    return 0;
}
