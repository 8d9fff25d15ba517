/* also: call-failed */
/* A field of the struct is a double where it is sent and a float where it is received; so is one of a struct within a struct. */
#include <mpi.h>
#include <stddef.h>

typedef struct {
    int id;
    double place[3];
    double mass;
} body;

typedef struct {
    long step;
    body first;
    char label[16];
} snapshot;

static MPI_Datatype body_type(MPI_Datatype mass)
{
    MPI_Datatype one, whole;
    MPI_Type_create_struct(3, (int[]){1, 3, 1}, (MPI_Aint[]){offsetof(body, id), offsetof(body, place), offsetof(body, mass)},
                           (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, mass}, &one);
    MPI_Type_create_resized(one, 0, sizeof(body), &whole);
    MPI_Type_free(&one);
    MPI_Type_commit(&whole);
    return whole;
}

static MPI_Datatype snapshot_type(MPI_Datatype inner)
{
    MPI_Datatype one, all;
    MPI_Type_create_struct(3, (int[]){1, 1, 16}, (MPI_Aint[]){0, offsetof(snapshot, first), offsetof(snapshot, label)},
                           (MPI_Datatype[]){MPI_LONG, inner, MPI_CHAR}, &one);
    MPI_Type_create_resized(one, 0, sizeof(snapshot), &all);
    MPI_Type_free(&one);
    MPI_Type_commit(&all);
    return all;
}

int main(int argc, char **argv)
{
    int rank;
    body bodies[4] = {{0}};
    snapshot shot = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Datatype type = body_type(rank == 0 ? MPI_DOUBLE : MPI_FLOAT), outer = snapshot_type(type);
    if (rank == 0) {
        MPI_Send(bodies, 4, type, 1, 0, MPI_COMM_WORLD); /* want: Rank 0 sends MPI_DOUBLE where rank 1 expects MPI_FLOAT, at element 5 of the data */
        /* note: that is item 1, block 3, field `mass` on both sides */
        MPI_Send(&shot, 1, outer, 1, 1, MPI_COMM_WORLD); /* want: Rank 0 sends MPI_DOUBLE where rank 1 expects MPI_FLOAT, at element 6 of the data */
        /* note: that is block 2, block 3, field `first.mass` on both sides */
        MPI_Send((double[]){1, 2, 3, 4, 5}, 5, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD); /* want: Rank 0 sends MPI_DOUBLE where rank 1 expects MPI_INT */
        /* note: that is item 1 of what rank 0 sends, and item 1, block 1, field `id` of what rank 1 expects */
    } else {
        MPI_Recv(bodies, 4, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&shot, 1, outer, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(bodies, 4, type, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&outer);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
