/* Blocks of the heap, from malloc and its like; static variables; collectives; a type of records. What a rank sends to itself
   leaves the memory behind its blocks as it is. */
#include <mpi.h>
#include <stdlib.h>

struct record { int number; char name[12]; };

int main(int argc, char **argv)
{
    static int few[2];
    int rank, size, *a = malloc(10 * sizeof *a), *all, lengths[] = {1, 12};
    MPI_Aint places[] = {0, 4};
    struct record *records;
    double *aligned;
    MPI_Datatype record;

    MPI_Init(&argc, &argv); /* run: -n 2 --check-memory */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_create_struct(2, lengths, places, (MPI_Datatype[]){MPI_INT, MPI_CHAR}, &record);
    MPI_Type_commit(&record);

    all = calloc(size, sizeof *all);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, few, 3, MPI_INT, MPI_SUM, MPI_COMM_SELF); /* want: MPI_Allreduce with recvbuf (`few`) in the variable `few` of 8 bytes; the data extends 4 bytes beyond its end */
    a = realloc(a, 12 * sizeof *a);
    MPI_Bcast(a + 4, 9, MPI_INT, 0, MPI_COMM_SELF); /* want: MPI_Bcast with buffer (`a + 4`) in a heap block of 48 bytes from byte 16 on; the data extends 4 bytes beyond its end */
    MPI_Bcast(a, 12, MPI_INT, 0, MPI_COMM_WORLD);
    if (posix_memalign((void **)&aligned, 64, 3 * sizeof *aligned) != 0)
        return 1;
    MPI_Bcast(aligned, 4, MPI_DOUBLE, 0, MPI_COMM_SELF); /* want: MPI_Bcast with buffer (`aligned`) in a heap block of 24 bytes; the data extends 8 bytes beyond its end */
    records = malloc(4 * sizeof *records);
    MPI_Bcast(records, 4, record, 0, MPI_COMM_WORLD);
    MPI_Bcast(records + 1, 4, record, 0, MPI_COMM_SELF); /* want: MPI_Bcast with buffer (`records + 1`) in a heap block of 64 bytes from byte 16 on; the data extends 16 bytes beyond its end */
    MPI_Type_free(&record);
    MPI_Finalize();
    return 0;
}
