/* Who makes the file is first. */
/* WANT: ; rank \d looks (at|for) the file lock by open \(lock.c:11\), which rank \d changes by (open|unlink) \(lock.c:\d+\) */
#include "acts.h"
#include <fcntl.h>

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    usleep(rank == 0 ? 1000 : 2000);

    const int f = open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600);
    act(0, f >= 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (f >= 0)
        unlink("lock");
    end();
    return 0;
}
