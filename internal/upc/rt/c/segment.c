/*
 * Segments: anonymous files in memory, which neighbours on the node open through /proc, so that they have no name and
 * vanish with the last process that maps them, however it ends. Must not be used after the start.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "segment.h"

/*
 * How a neighbour finds a segment; the token proves that it is the right one (process numbers may mean others in a
 * container).
 */
struct found {
    uint64_t token;
    int pid, fd;
};

char *upcr_reserve(int threads)
{
    void *at = mmap((void *)UPCR_REMOTE, (unsigned long)threads << UPCR_OFFSET_BITS, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static struct upcr_control *map(const struct upcr_state *s, int thread, int fd)
{
    char *segment = s->node + ((unsigned long)thread << UPCR_OFFSET_BITS);
    for (int i = 0; i < UPCR_PARTS; i++) {
        const struct upcr_extent *e = &upcr_extents[i];
        if (mmap(segment + e->start, e->end - e->start, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
                 (off_t)e->file) == MAP_FAILED)
            return NULL;
    }
    return (struct upcr_control *)(segment + UPCR_CONTROL_OFFSET);
}

/* Windows of MPI have no gaps. */
static int map_whole(int fd, unsigned long bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    upcr_whole = at == MAP_FAILED ? NULL : at;
    return upcr_whole != NULL;
}

static int make_mine(const struct upcr_state *s, struct found *mine)
{
    const struct upcr_extent *last = &upcr_extents[UPCR_PARTS - 1];
    unsigned long bytes = last->file + last->end - last->start;
    mine->pid = getpid();
    mine->fd = memfd_create("upc-segment", MFD_CLOEXEC);
    struct upcr_control *control = NULL;
    if (mine->fd >= 0 && ftruncate(mine->fd, (off_t)bytes) == 0)
        control = map(s, s->thread, mine->fd);
    if (!control || (!s->one_node && !map_whole(mine->fd, bytes)) ||
        getrandom(&mine->token, sizeof mine->token, 0) != sizeof mine->token) {
        upcr_say("thread %d cannot make its shared memory of %lu bytes: %s; hint: a smaller UPC_SHARED_HEAP_SIZE",
                 s->thread, bytes, strerror(errno));
        return 0;
    }
    control->token = mine->token;
    control->pid = mine->pid;
    return 1;
}

static int map_other(const struct upcr_state *s, int thread, const struct found *other)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", other->pid, other->fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    struct upcr_control *control = fd >= 0 ? map(s, thread, fd) : NULL;
    int error = errno;
    if (fd >= 0)
        close(fd);
    if (control && control->token == other->token)
        return 1;
    upcr_say("thread %d cannot map the shared memory of thread %d (%s): %s; hint: UPC_NODE_THREADS=1 makes threads of "
             "one machine "
             "exchange data by MPI",
             s->thread, thread, path, control ? "it is another process" : strerror(error));
    return 0;
}

int upcr_map_segments(const struct upcr_state *s)
{
    struct found mine = {0};
    static struct found all[UPCR_MAX_THREADS];
    int fine = make_mine(s, &mine);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, upcr_comm);
    for (int t = 0; fine && t < s->threads; t++)
        if (t != s->thread && s->near[t] && all[t].token)
            fine = map_other(s, t, &all[t]);
    MPI_Barrier(upcr_comm); /* all have opened it */
    if (mine.fd >= 0)
        close(mine.fd);
    return fine;
}
