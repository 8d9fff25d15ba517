/* A read from a file stops at its end, so what was read is judged where that is known. Open MPI 4.1
   hangs at the end of a file in MPI_File_iread_at. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

/* Variables of 16 bytes, with room behind them that belongs to none. */
#define FEW(name) \
    __asm__(".data\n.balign 16\n.globl " #name "\n.type " #name ", @object\n.size " #name ", 16\n" #name ": .zero 256\n.text\n"); \
    extern int name[4]
FEW(a); FEW(b); FEW(c); FEW(d);

int main(int argc, char **argv)
{
    int data[6] = {1, 2, 3, 4, 5, 6};
    char name[64]; /* only: mpich */
    MPI_File file;
    MPI_Request request;

    MPI_Init(&argc, &argv); /* run: -n 1 */
    snprintf(name, sizeof name, "read.%ld", (long)getpid());
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write(file, data, 6, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, 0, a, 5, MPI_INT, MPI_STATUS_IGNORE);      /* want: Rank 0 calls MPI_File_read_at with buf (`a`) in the variable `a` of 16 bytes; its count extends 4 bytes beyond the end. */
    MPI_File_read_at_all(file, 8, b, 6, MPI_INT, MPI_STATUS_IGNORE);  /* want: Rank 0 calls MPI_File_read_at_all with buf (`b`) in the variable `b` of 16 bytes; its count extends 8 bytes beyond the end. */
    MPI_File_iread_at(file, 4, c, 6, MPI_INT, &request);              /* want: Rank 0 calls MPI_File_iread_at with buf (`c`) in the variable `c` of 16 bytes; the data of 20 bytes extends 4 bytes beyond its end. */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_iread_at(file, 8, d, 6, MPI_INT, &request); /* want: Rank 0 calls MPI_File_iread_at with buf (`d`) in the variable `d` of 16 bytes; its count extends 8 bytes beyond the end, though the data of 16 bytes does not. */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
