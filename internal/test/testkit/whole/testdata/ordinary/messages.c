/* Says on standard error when it does what, and who it is. */
#include "plain.h"
#include <time.h>

int main(int argc, char **argv)
{
    char text[64], host[64];
    begin(&argc, &argv);
    const time_t now = time(NULL);
    strftime(text, sizeof text, "%H:%M:%S", localtime(&now));
    gethostname(host, sizeof host);
    fprintf(stderr, "%s %s %d: rank %d begins, with %s\n", text, host, (int)getpid(), rank, getenv("HOME") ? getenv("HOME") : "nothing");
    work(rank);
    MPI_Finalize();
    return 0;
}
