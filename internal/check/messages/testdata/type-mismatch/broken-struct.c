/* The receiver's struct type has its second and third field the other way round. */
#include <mpi.h>
#include <stddef.h>

typedef struct {
    double at[3];
    double mass;
    int id;
} body;

static MPI_Datatype body_type(int swapped)
{
    int lengths[3] = {3, 1, 1};
    MPI_Aint places[3] = {offsetof(body, at), offsetof(body, mass), offsetof(body, id)};
    MPI_Datatype types[3] = {MPI_DOUBLE, swapped ? MPI_INT : MPI_DOUBLE, swapped ? MPI_DOUBLE : MPI_INT}, one, many;

    MPI_Type_create_struct(3, lengths, places, types, &one);
    MPI_Type_create_resized(one, 0, sizeof(body) + 8, &many);
    MPI_Type_free(&one);
    MPI_Type_commit(&many);
    return many;
}

int main(int argc, char **argv)
{
    int rank;
    char room[4 * (sizeof(body) + 8)] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type = body_type(rank == 1);
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(room, 2, type, 1, 7, MPI_COMM_WORLD, &request); /* want: Rank 0 sends MPI_DOUBLE where rank 1 expects MPI_INT, at element 4 of the data */
        /* note: that is item 1, block 2 on both sides */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Irecv(room, 4, type, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request); /* want: Rank 0 sends MPI_DOUBLE */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
