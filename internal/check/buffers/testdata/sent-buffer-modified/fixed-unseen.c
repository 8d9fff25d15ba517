/* Sends that are completed by calls which nobody sees, or that fail: in a function that MPI calls, by a wait that returns an error. The
   library gives the requests' handles to later sends. */
#include <mpi.h>
#include <stdlib.h>

enum { MANY = 100000 };
static int first[MANY], second[MANY], got[MANY];
static MPI_Request pending;

static int complete(MPI_Comm comm, int key, void *value, void *state)
{
    return MPI_Wait(&pending, MPI_STATUS_IGNORE);
}

static void exchange(int *sent, int other)
{
    MPI_Request r;
    MPI_Isend(sent, MANY, MPI_INT, other, 1, MPI_COMM_WORLD, &r);
    MPI_Recv(got, MANY, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, other, key;
    MPI_Comm copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, complete, &key, NULL);
    for (int i = 0; i < 3; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        MPI_Comm_set_attr(copy, key, NULL);
        MPI_Isend(first, MANY, MPI_INT, other, 0, MPI_COMM_WORLD, &pending);
        MPI_Recv(got, MANY, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Comm_free(&copy);
        first[0]++;
        exchange(second, other);
    }
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}
