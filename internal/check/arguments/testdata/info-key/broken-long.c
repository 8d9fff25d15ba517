/* Keys without a name and with too long a one. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Info hints;
    char longer[1025];
    char number[MPI_MAX_INFO_KEY];

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* also: call-failed rank-died */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    memset(longer, 'k', 1024);
    longer[1024] = 0;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "", "4"); /* want: with an empty key */
    MPI_Info_set(hints, longer, "4"); /* want: key (`longer`) of 1024 characters */
    MPI_Info_set(hints, "key", longer); /* want: value (`longer`) of 1024 characters */
    MPI_Info_get_nthkey(hints, 9, number); /* want: n 9, but the info object has */
    exit(0);
}
