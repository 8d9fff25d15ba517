/* What is deleted is there. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Info hints, copy;

    MPI_Init(&argc, &argv);
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "striping_factor", "4");
    MPI_Info_dup(hints, &copy);
    MPI_Info_delete(copy, "striping_factor");
    MPI_Info_delete(hints, "striping_factor");
    MPI_Info_free(&hints);
    MPI_Info_free(&copy);
    MPI_Finalize();
    return 0;
}
