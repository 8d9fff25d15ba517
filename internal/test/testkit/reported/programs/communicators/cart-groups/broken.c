/* reported: pmodels/mpich 2080, the groups of communicators are asked for in a loop and never freed */
#include <mpi.h>

int main(int argc, char **argv)
{
    int dims[1], periods[1] = {1};
    MPI_Comm cart;
    MPI_Group group;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &dims[0]);
    for (int i = 0; i < 20; i++) {
        MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart);
        MPI_Comm_group(cart, &group); /* want: leak-group: MPI_Comm_group */
        MPI_Comm_free(&cart);
    }
    MPI_Finalize();
    return 0;
}
