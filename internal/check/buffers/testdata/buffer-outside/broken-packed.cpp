// Data is packed into memory that is shorter than the size that MPI_Pack is given, and unpacked from such memory.
#include <mpi.h>

static char packed[64];

int main(int argc, char **argv)
{
    int at = 0, n = 3;
    double *potential = new double[10](); // away from the buffers, so that MPI copies between places that do not overlap
    char local[32] = {0};
    MPI_Init(&argc, &argv);
    MPI_Pack(&n, 1, MPI_INT, packed, 128, &at, MPI_COMM_SELF);
    MPI_Pack(potential, 10, MPI_DOUBLE, packed, 128, &at, MPI_COMM_SELF); // want: calls MPI_Pack with outbuf (`packed`) in the variable `packed` of 64 bytes; the data packed from byte 4 on extends 20 bytes beyond its end
    // note: outsize is 128
    at = 24;
    MPI_Unpack(local, 128, &at, potential, 2, MPI_DOUBLE, MPI_COMM_SELF); // want: with inbuf (`local`) in `local` of 32 bytes; the data unpacked from byte 24 on extends 8 bytes beyond its end
    delete[] potential;
    MPI_Finalize();
    return 0;
}
