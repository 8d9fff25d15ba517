/* Wrong: both ranks send before they receive, after each has put into the other's window and written to a file. These have requests of
 * their own, which are complete whatever the other rank does. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other, mine, theirs = 0, *memory;
    MPI_Win window;
    MPI_File file;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    mine = rank;

    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock_all(0, window);
    MPI_Rput(&mine, 1, MPI_INT, other, 0, 1, MPI_INT, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(window);

    MPI_File_open(MPI_COMM_SELF, rank == 0 ? "rank-0.out" : "rank-1.out", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_iwrite(file, &mine, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);

    MPI_Send(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD); /* both ranks would wait here */
    MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
