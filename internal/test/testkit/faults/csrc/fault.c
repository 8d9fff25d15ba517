// A library that is loaded with an MPI program and gives its MPI library a fault: a message that never arrives, a call
// that never returns, a process that is stopped. FAULT says which: FUNCTION:N:RANK:KIND, such as Recv:5:0:spin for the
// fifth PMPI_Recv of rank 0.
//
// The fault is below the profiling interface, and so below unknot's probe, which looks up PMPI_Recv in the MPI library
// itself. So this writes a jump over the beginning of that function. What the function is to do otherwise is done by
// others: MPI_Recv is MPI_Irecv and MPI_Wait.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

// The MPI library's own function: this library is linked in front of it, and unknot's probe has functions of these names
// in front of both.
#define REAL(name) ((__typeof__(&PMPI_##name))real("PMPI_" #name))

// Messages that are dropped have so many bytes at least, unlike those by which the library and the launcher arrange
// things.
enum { DROPPED = 4096 };

static char function[32], kind[16];
static int nth, rank;
static int made;

static void *real(const char *name)
{
    void *at = dlsym(RTLD_NEXT, name);

    if (!at) {
        fprintf(stderr, "fault: no function %s\n", name);
        exit(1);
    }
    return at;
}

// strikes says whether this call is the one with the fault.
static int strikes(void)
{
    int me = -1;

    REAL(Comm_rank)(MPI_COMM_WORLD, &me);
    return me == rank && ++made == nth;
}

// polls has the library look for messages, as it does while it waits for one.
static void polls(void)
{
    int found;
    int *top;

    REAL(Comm_get_attr)(MPI_COMM_WORLD, MPI_TAG_UB, &top, &found);
    REAL(Iprobe)(MPI_ANY_SOURCE, *top, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

static void spin(void)
{
    for (;;)
        polls();
}

static void sleep_in_poll(void)
{
    for (;;)
        poll(NULL, 0, -1);
}

// A progress thread that never wakes those that wait for it.
static void wait_for_thread(void)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t done = PTHREAD_COND_INITIALIZER;

    pthread_mutex_lock(&lock);
    for (;;)
        pthread_cond_wait(&done, &lock);
}

// A pipe that nobody reads.
static void fill_pipe(void)
{
    int ends[2];
    static char data[1 << 16];

    if (pipe(ends) == 0)
        while (write(ends[1], data, sizeof data) > 0)
            ;
    spin();
}

// The parent of a child of vfork is in an uninterruptible sleep until that ends.
static void sleep_deep(void)
{
    if (vfork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pause();
        _exit(0);
    }
}

// A debugger that has stopped the process and does not let it go on.
static void be_traced(void)
{
    pid_t me = getpid();

    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        while (ptrace(PTRACE_ATTACH, me, NULL, NULL) != 0)
            sched_yield(); // somebody else looks at it just now
        for (;;)
            pause();
    }
}

// hang never returns.
static void hang(void)
{
    if (strcmp(kind, "poll") == 0)
        sleep_in_poll();
    if (strcmp(kind, "thread") == 0)
        wait_for_thread();
    if (strcmp(kind, "pipe") == 0)
        fill_pipe();
    if (strcmp(kind, "stop") == 0)
        raise(SIGSTOP);
    if (strcmp(kind, "trace") == 0)
        be_traced();
    if (strcmp(kind, "deep") == 0)
        sleep_deep();
    spin();
}

// The call has done what it is for, but is not to return.
static int late;

// fails carries out the fault if this call has it; true if the call is to do nothing.
static int fails(void)
{
    if (!strikes())
        return 0;
    if (strcmp(kind, "lose") == 0)
        return 1;
    late = strcmp(kind, "late") == 0;
    if (!late)
        hang();
    return 0;
}

static int returns(int rc)
{
    if (late)
        spin();
    return rc;
}

static int complete(int rc, MPI_Request *req, MPI_Status *status)
{
    return rc == MPI_SUCCESS ? returns(REAL(Wait)(req, status)) : rc;
}

static int fault_send(const void *buf, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    MPI_Request req;

    if (fails())
        return MPI_SUCCESS;
    return complete(REAL(Isend)(buf, n, type, to, tag, comm, &req), &req, MPI_STATUS_IGNORE);
}

static int fault_ssend(const void *buf, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    MPI_Request req;

    if (fails())
        return MPI_SUCCESS;
    return complete(REAL(Issend)(buf, n, type, to, tag, comm, &req), &req, MPI_STATUS_IGNORE);
}

static int fault_recv(void *buf, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Request req;

    fails();
    return complete(REAL(Irecv)(buf, n, type, from, tag, comm, &req), &req, status);
}

static int fault_barrier(MPI_Comm comm)
{
    MPI_Request req;

    fails();
    return complete(REAL(Ibarrier)(comm, &req), &req, MPI_STATUS_IGNORE);
}

static int fault_bcast(void *buf, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    MPI_Request req;

    fails();
    return complete(REAL(Ibcast)(buf, n, type, root, comm, &req), &req, MPI_STATUS_IGNORE);
}

static int fault_allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request req;

    fails();
    return complete(REAL(Iallreduce)(in, out, n, type, op, comm, &req), &req, MPI_STATUS_IGNORE);
}

// What has no other function to do its work is called in its old form.
static void change(int now);

static int fault_win_unlock(int target, MPI_Win win)
{
    fails();
    change(0);
    int rc = REAL(Win_unlock)(target, win);
    change(1);
    return returns(rc);
}

static int fault_win_flush(int target, MPI_Win win)
{
    fails();
    change(0);
    int rc = REAL(Win_flush)(target, win);
    change(1);
    return returns(rc);
}

static int fault_waitall(int n, MPI_Request *reqs, MPI_Status *statuses)
{
    fails();
    for (int i = 0; i < n; i++) {
        MPI_Status *status = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
        int rc = REAL(Wait)(&reqs[i], status);

        if (rc != MPI_SUCCESS)
            return rc;
    }
    return returns(MPI_SUCCESS);
}

static const struct {
    const char *name;
    void (*instead)(void);
} functions[] = {
    {"Send", (void (*)(void))fault_send},           {"Ssend", (void (*)(void))fault_ssend},
    {"Recv", (void (*)(void))fault_recv},           {"Barrier", (void (*)(void))fault_barrier},
    {"Bcast", (void (*)(void))fault_bcast},         {"Waitall", (void (*)(void))fault_waitall},
    {"Allreduce", (void (*)(void))fault_allreduce}, {"Win_unlock", (void (*)(void))fault_win_unlock},
    {"Win_flush", (void (*)(void))fault_win_flush},
};

static void *place, *target;
static unsigned char old[16];

// change has the function be the one with the fault, or the library's own.
static void change(int now)
{
    void *from = place, *to = target;
#if defined(__x86_64__)
    unsigned char code[] = {0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xe3}; // movabs $to, %r11; jmp *%r11

    memcpy(code + 2, &to, sizeof to);
#elif defined(__aarch64__)
    unsigned char code[] = {0x50, 0, 0, 0x58, 0, 0x02, 0x1f, 0xd6, 0, 0, 0, 0, 0, 0, 0, 0}; // ldr x16, 8; br x16

    memcpy(code + 8, &to, sizeof to);
#endif
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)from & ~(page - 1);
    size_t size = ((uintptr_t)from + sizeof code - first + page - 1) & ~(page - 1);

    if (mprotect((void *)first, size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
        perror("fault: mprotect");
        exit(1);
    }
    if (now)
        memcpy(old, from, sizeof code);
    memcpy(from, now ? code : old, sizeof code);
    __builtin___clear_cache((char *)from, (char *)from + sizeof code);
    mprotect((void *)first, size, PROT_READ | PROT_EXEC);
}

// wire says whether so many bytes to a descriptor are to get lost: the data of the Nth message that this rank writes to
// another host, or to its own by TCP.
static int wire(int fd, size_t size)
{
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    const char *me = getenv("OMPI_COMM_WORLD_RANK");
    int initialised = 0;

    if (!me)
        me = getenv("PMI_RANK");
    if (strcmp(kind, "drop") != 0 || size < DROPPED || !me || atoi(me) != rank)
        return 0;
    if (getpeername(fd, (struct sockaddr *)&peer, &length) != 0 || peer.ss_family == AF_UNIX)
        return 0;
    REAL(Initialized)(&initialised);
    return initialised && ++made == nth;
}

static size_t sum(const struct iovec *list, size_t n)
{
    size_t size = 0;

    for (size_t i = 0; i < n; i++)
        size += list[i].iov_len;
    return size;
}

ssize_t writev(int fd, const struct iovec *list, int n)
{
    size_t size = sum(list, (size_t)n);

    return wire(fd, size) ? (ssize_t)size : ((__typeof__(&writev))real("writev"))(fd, list, n);
}

ssize_t send(int fd, const void *data, size_t size, int flags)
{
    return wire(fd, size) ? (ssize_t)size : ((__typeof__(&send))real("send"))(fd, data, size, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
    size_t size = sum(m->msg_iov, m->msg_iovlen);

    return wire(fd, size) ? (ssize_t)size : ((__typeof__(&sendmsg))real("sendmsg"))(fd, m, flags);
}

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("FAULT");
    char name[64];

    if (!text || sscanf(text, "%31[^:]:%d:%d:%15s", function, &nth, &rank, kind) != 4 || strcmp(kind, "drop") == 0)
        return;
    snprintf(name, sizeof name, "PMPI_%s", function);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strcmp(functions[i].name, function) == 0) {
            place = real(name);
            memcpy(&target, &functions[i].instead, sizeof target);
            change(1);
            return;
        }
    }
    fprintf(stderr, "fault: no function %s\n", name);
    exit(1);
}
