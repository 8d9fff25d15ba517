/* run: -n 2
   Statuses in arrays of their number and of more, in one that was allocated, in a struct, and none. */
#include <mpi.h>
#include <stdlib.h>

static MPI_Status kept[8];

static void wait_for(int n, MPI_Request *requests, MPI_Status *statuses)
{
    MPI_Waitall(n, requests, statuses);
}

int main(int argc, char **argv)
{
    enum { N = 2 };
    int rank, given, got, done, outcount, indices[N];
    MPI_Status statuses[N], one, *many;
    struct {
        int n;
        MPI_Status all[N];
    } s = {0};
    MPI_Request requests[N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    many = malloc(N * sizeof *many);
    given = rank;
    for (int way = 0; way < 8; way++) {
        MPI_Irecv(&got, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&given, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
        switch (way) {
        case 0:
            MPI_Waitall(2, requests, statuses);
            break;
        case 1:
            MPI_Waitall(N, requests, kept);
            break;
        case 2:
            MPI_Waitall(N, requests, many);
            break;
        case 3:
            MPI_Waitall(N, requests, s.all);
            break;
        case 4:
            wait_for(1, requests, &one);
            wait_for(1, requests + 1, statuses + 1);
            break;
        case 5:
            MPI_Wait(requests, &kept[7]);
            MPI_Waitall(1, requests + 1, &one);
            break;
        case 6:
            for (done = 0; done < N;) {
                MPI_Waitsome(N, requests, &outcount, indices, kept);
                done += outcount;
            }
            break;
        default:
            MPI_Waitall(N, requests, MPI_STATUSES_IGNORE);
        }
    }
    free(many);
    MPI_Finalize();
    return s.n;
}
