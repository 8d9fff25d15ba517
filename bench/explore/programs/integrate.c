// The integral of the sine from 0 to pi by a master and workers, after the published pattern: results are met by wildcard
// receives while there are tasks left, and by receives from each worker in turn at the end. 4 tasks more than workers.
#include "program.h"

enum { WORK = 1, STOP = 2, RESULT = 3, EXTRA = 4 };

int main(int argc, char **argv)
{
    begin(&argc, &argv, 2);
    int tasks = size - 1 + EXTRA, next = 0;
    double x[2] = {0, 0}, part, sum = 0, width = acos(-1) / tasks;
    if (rank != 0) {
        for (;;) {
            MPI_Status st;
            MPI_Recv(x, 2, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
            if (st.MPI_TAG == STOP)
                return end(1);
            part = cos(x[0]) - cos(x[1]);
            MPI_Send(&part, 1, MPI_DOUBLE, 0, RESULT, MPI_COMM_WORLD);
        }
    }
    for (int w = 1; w < size; w++, next++) {
        x[0] = next * width, x[1] = x[0] + width;
        MPI_Send(x, 2, MPI_DOUBLE, w, WORK, MPI_COMM_WORLD);
    }
    for (; next < tasks; next++) {
        MPI_Status st;
        MPI_Recv(&part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &st);
        sum += part;
        x[0] = next * width, x[1] = x[0] + width;
        MPI_Send(x, 2, MPI_DOUBLE, st.MPI_SOURCE, WORK, MPI_COMM_WORLD);
    }
    for (int w = 1; w < size; w++) {
        MPI_Recv(&part, 1, MPI_DOUBLE, w, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += part;
        MPI_Send(x, 2, MPI_DOUBLE, w, STOP, MPI_COMM_WORLD);
    }
    return end(fabs(sum - 2) < 1e-9);
}
