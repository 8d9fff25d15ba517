// The call stack of a thread that is asked for it, by a signal, while it is blocked.
//
// Runs: on_ask in a signal handler, at any instruction of the thread; it is sent by the agent only when a report needs
// it. uk_stack_init at MPI_Init; uk_stack_here where the program frees memory that an operation uses.
//
// Never: in the handler, allocates, or takes a lock that the thread may have: the unwinder is loaded beforehand, and
// the only lock that it may take, of the dynamic linker in C libraries before 2.35, can be taken twice by a thread.
// Interrupts no call of the kernel's (SA_RESTART), and keeps errno. Never takes a signal from a program that uses it.
#define _GNU_SOURCE
#include "process/process.h"
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// The probe's own code: from its first to its last byte, the frame in which user threads begin (threads.c),
// and frames that lie between those of the program.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));
extern const char __start_uk_trampoline[] __attribute__((visibility("hidden")));
extern const char __stop_uk_trampoline[] __attribute__((visibility("hidden")));
extern const char __start_uk_between[] __attribute__((visibility("hidden")));
extern const char __stop_uk_between[] __attribute__((visibility("hidden")));

bool uk_of_probe(const void *pc)
{
    const char *p = pc;
    return p >= __ehdr_start && p < etext && !(p >= __start_uk_trampoline && p <= __stop_uk_trampoline) &&
           !(p >= __start_uk_between && p <= __stop_uk_between);
}

#if defined __aarch64__
// Where the unwinder gets no further, as in the stubs through which libraries call each other: on AArch64 these have no
// tables. But frames are linked there, so the program's can be had from the wrapper's on. Some code may keep other
// numbers in the links, so the kernel reads them.
static int by_links(void **frames, int most)
{
    void *link[2], **at = uk_call.frame;
    struct iovec to = {link, sizeof link};
    int n = 0;
    while (n < most) {
        struct iovec from = {at, sizeof link};
        if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)sizeof link || !link[1])
            break;
        frames[n++] = link[1];
        if ((void **)link[0] <= at)
            break;
        at = link[0];
    }
    return n;
}
#endif

static void on_ask(int sig, siginfo_t *info, void *context)
{
    (void)sig;
    (void)info;
    (void)context;
    // A thread that has not called MPI uses the first one's, whose thread is not asked at the same time.
    struct uk_ring_header *ring = uk_self.ring ? uk_self.ring : uk_process.first;
    int keep = errno;
    if (!ring || !uk_is_ours())
        return;
    uint32_t ask = __atomic_load_n(&ring->stack_ask, __ATOMIC_ACQUIRE);
    void *frames[UK_STACK_MAX];
    int n = backtrace(frames, UK_STACK_MAX), from = 0;
    // Past this handler; then past the MPI library and the wrapper that the user called, if there is one.
    while (from < n && uk_of_probe(frames[from]))
        from++;
    int user = from;
    for (int i = from; i < n; i++)
        if (uk_of_probe(frames[i]))
            user = i + 1;
#if defined __aarch64__
    if (user == from && uk_self.gate == UK_INSIDE && uk_call.frame) {
        user = 0;
        n = by_links(frames, UK_STACK_MAX);
    }
#endif
    uint32_t count = 0;
    for (int i = user; i < n; i++)
        ring->stack[count++] = (uint64_t)(uintptr_t)frames[i];
    ring->stack_n = count;
    __atomic_store_n(&ring->stack_done, ask, __ATOMIC_RELEASE);
    errno = keep;
}

unsigned uk_stack_here(void **frames, unsigned most)
{
    void *all[UK_STACK_MAX];
    if (!uk_process.stacks) // the unwinder may not be loaded
        return 0;
    const int n = backtrace(all, UK_STACK_MAX);
    int from = 0;
    unsigned count = 0;
    while (from < n && uk_of_probe(all[from]))
        from++;
    for (int i = from; i < n && count < most; i++)
        frames[count++] = all[i];
    return count;
}

void uk_stack_init(void)
{
    int sig = SIGRTMAX - (int)UK_STACK_SIGNAL_BELOW_MAX;
    struct sigaction old, ours = {.sa_sigaction = on_ask, .sa_flags = SA_RESTART | SA_SIGINFO};
    if (sigaction(sig, NULL, &old) != 0 || (old.sa_flags & SA_SIGINFO) || old.sa_handler != SIG_DFL)
        return;
    void *frames[2];
    backtrace(frames, 2); // loads the unwinder now: it must not be loaded in the handler
    sigaction(sig, &ours, NULL);
    uk_process.stacks = true;
    uk_process.first->stack_ready = 1;
}
