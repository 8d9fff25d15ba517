/* The key is deleted under another name than it was set. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Info hints;

    MPI_Init(&argc, &argv);
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "striping_factor", "4");
    MPI_Info_delete(hints, "stripe_factor"); /* want: key (`"stripe_factor"`) "stripe_factor", which is not in the info object */
    MPI_Info_free(&hints);
    MPI_Finalize();
    return 0;
}
