// How a process ends: the cause is left in its first ring, and the end then goes on exactly as it would have.
#define _GNU_SOURCE
#include "rt.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGTERM,
                            SIGINT,  SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2};
static struct sigaction previous[NSIG];
static int exit_code;
static bool exiting;

void uk_died(unsigned cause, int code, int sender, void *pc)
{
    if (!uk_is_ours() || uk_process.first->death.cause != UK_DEATH_NONE)
        return;
    struct uk_death *d = &uk_process.first->death;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    d->code = code;
    d->sender = sender;
    d->thread = uk_self.index;
    d->addr = (uint64_t)(uintptr_t)pc;
    d->nanos = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    __atomic_store_n(&d->cause, cause, __ATOMIC_RELEASE);
}

static void *counter(const void *context)
{
    const ucontext_t *u = context;
#if defined __x86_64__
    return (void *)u->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    return (void *)u->uc_mcontext.pc;
#else
    (void)u;
    return NULL;
#endif
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
    bool sent = info->si_code <= 0;
    uk_died(UK_DEATH_SIGNAL, sig, sent ? info->si_pid : 0, counter(context));
    const struct sigaction *p = &previous[sig];
    if (p->sa_flags & SA_SIGINFO) {
        p->sa_sigaction(sig, info, context);
        return;
    }
    if (p->sa_handler != SIG_DFL) {
        p->sa_handler(sig);
        return;
    }
    // The default action, as if nobody had stood in between: a fault happens again on return, anything else is sent again.
    sigaction(sig, p, NULL);
    if (sent || (sig != SIGSEGV && sig != SIGBUS && sig != SIGFPE && sig != SIGILL))
        syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), sig);
}

// Open MPI and UCX (libucs and its like) install handlers that print a stack; they are chained to. A program's own handler is left alone.
static bool of_mpi(const struct sigaction *a)
{
    Dl_info info;
    void *handler = a->sa_flags & SA_SIGINFO ? (void *)a->sa_sigaction : (void *)a->sa_handler;
    if (!dladdr(handler, &info) || !info.dli_fname)
        return false;
    const char *name = strrchr(info.dli_fname, '/');
    name = name ? name + 1 : info.dli_fname;
    return strncmp(name, "libmpi", 6) == 0 || strncmp(name, "libopen-", 8) == 0 || strncmp(name, "libuc", 5) == 0;
}

static void on_exit_code(int code, void *unused)
{
    (void)unused;
    exit_code = code;
    exiting = true;
}

// Runs after the program's own exit functions and destructors, some of which may still call MPI_Finalize.
__attribute__((destructor)) static void at_end(void)
{
    if (exiting)
        uk_died(UK_DEATH_EXIT, exit_code, 0, NULL);
}

// A stack that has overflowed leaves a handler no place to run, so the thread gets another one, unless it has.
static void other_stack(void)
{
    stack_t old, ours = {.ss_size = 64 * 1024};
    if (sigaltstack(NULL, &old) != 0 || !(old.ss_flags & SS_DISABLE))
        return;
    ours.ss_sp = mmap(NULL, ours.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (ours.ss_sp != MAP_FAILED)
        sigaltstack(&ours, NULL);
}

void uk_death_init(void)
{
    other_stack();
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        struct sigaction *p = &previous[fatal[i]];
        if (sigaction(fatal[i], NULL, p) != 0)
            continue;
        bool usual = !(p->sa_flags & SA_SIGINFO) && p->sa_handler == SIG_DFL;
        if (!usual && ((!(p->sa_flags & SA_SIGINFO) && p->sa_handler == SIG_IGN) || !of_mpi(p)))
            continue;
        struct sigaction ours = {.sa_sigaction = on_signal, .sa_flags = p->sa_flags | SA_SIGINFO | SA_ONSTACK};
        ours.sa_mask = p->sa_mask;
        ours.sa_flags &= ~(int)SA_RESETHAND;
        sigaction(fatal[i], &ours, NULL);
    }
    on_exit(on_exit_code, NULL);
}

static _Noreturn void leave_at_once(int code)
{
    uk_died(UK_DEATH_EXIT, code, 0, NULL);
    for (;;)
        syscall(SYS_exit_group, code);
}

UK_API _Noreturn void _exit(int code)
{
    leave_at_once(code);
}

UK_API _Noreturn void _Exit(int code)
{
    leave_at_once(code);
}
