/* The second number does not fit into the size that is given, nor is it there to be unpacked. Errors return, so that all are reached. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int position = 0;
    double values[2] = {1, 2};
    char packed[64] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); /* also: call-failed */
    MPI_Pack(&values[0], 1, MPI_DOUBLE, packed, 12, &position, MPI_COMM_SELF);
    MPI_Pack(&values[1], 1, MPI_DOUBLE, packed, 12, &position, MPI_COMM_SELF); /* want: 8; 8 bytes of data from there on extend beyond outsize 12 */
    position = 4;
    MPI_Unpack(packed, 16, &position, values, 2, MPI_DOUBLE, MPI_COMM_SELF); /* want: 4; 16 bytes of data from there on extend beyond insize 16 */
    position = -8;
    MPI_Pack(&values[0], 1, MPI_DOUBLE, packed + 8, 12, &position, MPI_COMM_SELF); /* want: -8; it must be 0 or more */
    MPI_Finalize();
    return 0;
}
