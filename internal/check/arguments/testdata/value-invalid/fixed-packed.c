/* Numbers are packed up to the end, in the program's form and in that for files, and unpacked from there. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int position = 0, n = 3, size;
    MPI_Aint at = 0;
    double values[2] = {1, 2};
    char packed[20], external[20];

    MPI_Init(&argc, &argv);
    MPI_Pack_size(2, MPI_DOUBLE, MPI_COMM_SELF, &size);
    MPI_Pack(&n, 1, MPI_INT, packed, 20, &position, MPI_COMM_SELF);
    MPI_Pack(values, 2, MPI_DOUBLE, packed, 20, &position, MPI_COMM_SELF);
    MPI_Pack(values, 0, MPI_DOUBLE, packed, 20, &position, MPI_COMM_SELF);
    position = 0;
    MPI_Unpack(packed, 20, &position, &n, 1, MPI_INT, MPI_COMM_SELF);
    MPI_Unpack(packed, 20, &position, values, 2, MPI_DOUBLE, MPI_COMM_SELF);
    MPI_Pack_external("external32", values, 2, MPI_DOUBLE, external, 20, &at);
    at = 0;
    MPI_Unpack_external("external32", external, 16, &at, values, 2, MPI_DOUBLE);
    MPI_Finalize();
    return 0;
}
