/* Memory is freed, moved or unmapped while a receive has it, or before a call. */
#include <mpi.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
    int rank, other, *a = malloc(100), *b = malloc(64), *c, *block;
    MPI_Request r[3];

    MPI_Init(&argc, &argv); /* run: -n 2 --check-memory */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    c = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MPI_Isend(a, 2, MPI_INT, other, 0, MPI_COMM_WORLD, &r[0]); /* want: MPI_Isend with buf (`a`), and that memory is freed before the operation is completed */
    /* note: it was freed at main (broken-heap.c:20) */
    MPI_Isend(b, 2, MPI_INT, other, 1, MPI_COMM_WORLD, &r[1]); /* want: MPI_Isend with buf (`b`), and that memory is moved by realloc before the operation is completed */
    MPI_Isend(c, 2, MPI_INT, other, 2, MPI_COMM_WORLD, &r[2]); /* want-openmpi: MPI_Isend with buf (`c`), and that memory is unmapped before the operation is completed */
    /* Where MPICH is built with UCX, that takes calls of munmap for itself. */
    free(a);
    b = realloc(b, 1 << 20);
    munmap(c, 4096);
    block = malloc(1 << 16);
    for (int i = 0; i < 3; i++)
        MPI_Recv(block, 2, MPI_INT, other, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    free(block);
    MPI_Bcast(block + 100, 2, MPI_INT, 0, MPI_COMM_WORLD); /* want: MPI_Bcast with buffer (`block + 100`) in memory that has been freed */
    MPI_Finalize();                                        /* note: it was freed at main (broken-heap.c:27) */
    free(b);
    return 0;
}
