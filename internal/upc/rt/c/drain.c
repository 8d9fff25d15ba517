/*
 * Launchers end when they learn of MPI_Abort, MPICH's without reading what is left in the pipes of its processes. So
 * what a thread has written has to be read by then.
 */
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "rt.h"

static int unread(int fd)
{
    struct stat s;
    int bytes = 0;
    return fstat(fd, &s) == 0 && S_ISFIFO(s.st_mode) && ioctl(fd, FIONREAD, &bytes) == 0 && bytes > 0;
}

void upcr_drain(void)
{
    const struct timespec look = {0, 1000000};
    for (int i = 0; i < UPCR_DRAIN_MILLIS && (unread(STDOUT_FILENO) || unread(STDERR_FILENO)); i++)
        nanosleep(&look, NULL);
}
