/* Prints how long it took, by several clocks. */
#include "plain.h"
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

int main(int argc, char **argv)
{
    struct timespec t;
    struct timeval v;
    struct rusage r;
    begin(&argc, &argv);
    const double start = MPI_Wtime();
    const double sum = work(rank);
    clock_gettime(CLOCK_MONOTONIC, &t);
    gettimeofday(&v, NULL);
    getrusage(RUSAGE_SELF, &r);
    printf("%d: %g %g s, %ld %ld %ld %ld %ld\n", rank, sum, MPI_Wtime() - start, (long)t.tv_sec, (long)v.tv_sec, (long)r.ru_utime.tv_usec, (long)clock(), (long)time(NULL));
    if (MPI_Wtime() < start)
        return 1;
    MPI_Finalize();
    return 0;
}
