// A call of MPI as the last thing of a function with other arguments: with optimization a jump, which leaves no trace of
// that function on the stack.
#include <mpi.h>
#include <stdio.h>

static int value;

int put(int a, int b, int c, int d, int e, int f);

__attribute__((noipa)) int put(int a, int b, int c, int d, int e, int f)
{
    (void)(b + c + d + e + f);
    return MPI_Ssend(&value, 1, MPI_INT, a, 77, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    puts("ready");
    fflush(stdout);
    value += put(0, 11, 12, 13, 14, 15);
    MPI_Finalize();
    return value;
}
