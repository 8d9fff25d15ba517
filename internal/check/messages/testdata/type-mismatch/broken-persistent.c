/* Two persistent messages are started together, each with another mistake: where their requests are made, not where they are started. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, count[2] = {1, 2};
    float mass[4] = {0};
    double place[4] = {0};
    MPI_Request both[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send_init(place, 2, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &both[0]); /* want: Rank 0 sends MPI_DOUBLE where rank 1 expects MPI_FLOAT */
        MPI_Send_init(count, 2, MPI_INT, 1, 1, MPI_COMM_WORLD, &both[1]); /* want: Rank 0 sends MPI_INT where rank 1 expects MPI_DOUBLE */
    } else {
        MPI_Recv_init(mass, 4, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, &both[0]); /* want: Rank 0 sends MPI_DOUBLE */
        MPI_Recv_init(place, 4, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &both[1]); /* want: Rank 0 sends MPI_INT */
    }
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, both);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
    MPI_Finalize();
    return 0;
}
