// A member of a class is an integer where it is sent and an unsigned one where it is received.
#include <cstddef>
#include <mpi.h>

namespace model {
struct site {
    double weight[2];
    int label;
    int spare;
};
}

int main(int argc, char **argv)
{
    using model::site;
    int rank, lengths[2] = {2, 1};
    site all[3] = {};
    MPI_Datatype one, type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Aint places[2] = {offsetof(site, weight), offsetof(site, label)};
    MPI_Datatype types[2] = {MPI_DOUBLE, rank == 0 ? MPI_INT : MPI_UNSIGNED};
    MPI_Type_create_struct(2, lengths, places, types, &one);
    MPI_Type_create_resized(one, 0, sizeof(site), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&one);
    if (rank == 0)
        MPI_Send(all, 3, type, 1, 0, MPI_COMM_WORLD); // want: Rank 0 sends MPI_INT where rank 1 expects MPI_UNSIGNED
    else // note: that is item 1, block 2, field `label` on both sides
        MPI_Recv(all, 3, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Finalize();
}
