/* A pipe with a name. */
/* WANT: ; rank 0 may hear of other processes by (open|read) \(fifo.c:1[67]\) */
#include "acts.h"
#include <fcntl.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
    char word = 0;
    begin(&argc, &argv);
    if (rank == 0)
        mkfifo("fifo", 0600);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {

        const int f = open("fifo", O_RDONLY);
        if (read(f, &word, 1) != 1)
            return 1;
        close(f);
        unlink("fifo");
    } else if (rank == 1) {
        const int f = open("fifo", O_WRONLY);
        if (write(f, "x", 1) != 1)
            return 1;
        close(f);
    }
    act(0, word == 'x');
    end();
    return 0;
}
