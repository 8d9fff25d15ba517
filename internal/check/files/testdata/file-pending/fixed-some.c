/* Several accesses, completed in several ways. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number[4] = {1, 2, 3, 4}, flag = 0, index, done, indices[2];
    MPI_File file;
    MPI_Request request[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++)
            MPI_File_iwrite_at(file, (4 * rank + i) * sizeof(int), &number[i], 1, MPI_INT, &request[i]);
        while (!flag)
            MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
        flag = 0;
        MPI_Waitany(1, request + 1, &index, MPI_STATUS_IGNORE);
        for (int left = 2; left > 0; left -= done)
            MPI_Waitsome(2, request + 2, &done, indices, MPI_STATUSES_IGNORE);
        MPI_File_sync(file);
        MPI_File_set_size(file, 64);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
