/* MPICH 4.0 can hang in MPI_Finalize over TCP: a rank that has flushed its connections waits for the others in a
   barrier of PMI, a read that makes no progress of UCX, while another rank waits for its answer to a flush
   (https://github.com/pmodels/mpich/pull/6596). With this library, which LD_PRELOAD names, such a read makes
   progress while it waits. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

static void *worker; /* of UCX; MPICH has one unless configured otherwise */
static int disconnecting;

int ucp_worker_create(void *context, const void *parameters, void **made)
{
    int (*real)(void *, const void *, void **) =
        (int (*)(void *, const void *, void **))dlsym(RTLD_NEXT, "ucp_worker_create");
    int status = real(context, parameters, made);
    if (status == 0)
        worker = *made;
    return status;
}

void ucp_worker_destroy(void *which)
{
    void (*real)(void *) = (void (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_destroy");
    if (which == worker)
        worker = NULL;
    real(which);
}

void *ucp_disconnect_nb(void *endpoint)
{
    void *(*real)(void *) = (void *(*)(void *))dlsym(RTLD_NEXT, "ucp_disconnect_nb");
    disconnecting = 1;
    return real(endpoint);
}

ssize_t read(int fd, void *buffer, size_t size)
{
    static ssize_t (*real)(int, void *, size_t);
    if (!real)
        real = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    /* What UCX reads while it makes progress is read at once. */
    static __thread int inside;
    if (disconnecting && worker && !inside) {
        unsigned (*progress)(void *) = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
        struct pollfd wanted = {.fd = fd, .events = POLLIN};
        inside = 1;
        while (progress && worker && poll(&wanted, 1, 1) == 0)
            progress(worker);
        inside = 0;
    }
    return real(fd, buffer, size);
}
