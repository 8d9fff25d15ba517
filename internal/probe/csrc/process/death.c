// How a process ends: the cause is left in its first ring, and the end then goes on exactly as it would have.
//
// Runs: on_signal in a signal handler, on any thread, at any instruction, perhaps on a stack of its own; sigaction and its old
// forms wherever the program calls them, in its handlers too; _exit and _Exit in handlers, and in children after vfork, whose
// memory is the parent's; at_end after the program's destructors; uk_death_init at MPI_Init, and at shmem_init.
//
// Never: but in uk_death_init, locks, allocates, or calls what is not safe in a signal handler: the functions that stand behind
// these are looked up in a constructor, or for a library whose constructor comes before ours. Never decides how the process
// ends: a signal whose default action ends it is sent again with that action, _exit exits with the program's status, and where
// MPI or UCX had a handler before, that is called.
#define _GNU_SOURCE
#include "process/process.h"
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
static bool standing[NSIG]; // on_signal was installed; the program may have replaced it
static int exit_code;
static bool exiting;
static uk_death_note *also; // of the probe of OpenSHMEM

void uk_died(unsigned cause, int code, int sender, void *pc)
{
    if (also && (cause == UK_DEATH_SIGNAL || cause == UK_DEATH_EXIT))
        also(cause == UK_DEATH_SIGNAL ? code : 0, code, sender, pc);
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

typedef int action_type(int, const struct sigaction *, struct sigaction *);
static action_type *real_action;
enum { SIGNAL, BSD_SIGNAL, SSIGNAL, SYSV_SIGNAL, SYSV_SIGNAL_2, SIGSET };
static const char *const signals[] = {"signal", "bsd_signal", "ssignal", "sysv_signal", "__sysv_signal", "sigset"};
static sighandler_t (*real_signals[sizeof signals / sizeof *signals])(int, sighandler_t);

// Signal handlers call these functions too, so nothing may be left to look up; but another library may come first.
__attribute__((constructor)) static void resolve(void)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        real_signals[i] = (sighandler_t(*)(int, sighandler_t))dlsym(RTLD_NEXT, signals[i]);
    real_action = (action_type *)dlsym(RTLD_NEXT, "sigaction");
}

static int set_action(int sig, const struct sigaction *new, struct sigaction *old)
{
    if (!real_action)
        resolve();
    return real_action(sig, new, old);
}

static bool fault(int sig)
{
    return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL;
}

static bool is_ours(const struct sigaction *a);

static void on_signal(int sig, siginfo_t *info, void *context)
{
    const struct sigaction *p = &previous[sig];
    struct sigaction now;
    if (set_action(sig, NULL, &now) == 0 && !is_ours(&now)) {
        // A handler of the program's calls the one that it found, perhaps with the number alone.
        if (fault(sig))
            set_action(sig, p, NULL);
        return;
    }
    bool sent = info->si_code <= 0;
    uk_died(UK_DEATH_SIGNAL, sig, sent ? info->si_pid : 0, counter(context));
    if (p->sa_flags & SA_SIGINFO) {
        p->sa_sigaction(sig, info, context);
        return;
    }
    if (p->sa_handler != SIG_DFL) {
        p->sa_handler(sig);
        return;
    }
    // The default action, as if nobody had stood in between: a fault happens again on return, anything else is sent again.
    set_action(sig, p, NULL);
    if (sent || !fault(sig))
        syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), sig);
}

static bool is_ours(const struct sigaction *a)
{
    return (a->sa_flags & SA_SIGINFO) && a->sa_sigaction == on_signal;
}

// Notes that the program handles SIGALRM, which may wake its threads.
static void note_alarm(int sig)
{
    if (sig == SIGALRM && uk_process.first && uk_is_ours())
        __atomic_store_n(&uk_process.first->alarmed, 1, __ATOMIC_RELEASE);
}

// The program does not see the probe's handler: it is shown the action that it would find without the probe, which it may
// chain to or put back. Where it puts back the default, the probe's handler stands again.
UK_API int sigaction(int sig, const struct sigaction *new, struct sigaction *old)
{
    if (sig <= 0 || sig >= NSIG || !standing[sig])
        return set_action(sig, new, old);
    struct sigaction was, want, before = previous[sig];
    if (new) {
        want = *new;
        if (!(new->sa_flags & SA_SIGINFO) && new->sa_handler == SIG_DFL) {
            previous[sig] = want;
            want.sa_sigaction = on_signal;
            want.sa_flags = (want.sa_flags | SA_SIGINFO | SA_ONSTACK) & ~(int)SA_RESETHAND;
        }
    }
    if (new && (new->sa_flags & SA_SIGINFO || (new->sa_handler != SIG_DFL && new->sa_handler != SIG_IGN)))
        note_alarm(sig);
    int rc = set_action(sig, new ? &want : NULL, &was);
    if (rc == 0 && old)
        *old = is_ours(&was) ? before : was;
    return rc;
}

static sighandler_t set_handler(unsigned which, int sig, sighandler_t handler)
{
    if (sig <= 0 || sig >= NSIG || !standing[sig]) {
        if (!real_signals[which])
            resolve();
        return real_signals[which](sig, handler);
    }
    struct sigaction was = previous[sig];
    if (handler == SIG_DFL) {
        const struct sigaction usual = {.sa_handler = SIG_DFL};
        return sigaction(sig, &usual, &was) == 0 ? was.sa_handler : SIG_ERR;
    }
    if (handler != SIG_IGN)
        note_alarm(sig);
    sighandler_t found = real_signals[which](sig, handler);
    return found == (sighandler_t)(void *)on_signal ? was.sa_handler : found;
}

UK_API sighandler_t signal(int sig, sighandler_t handler)
{
    return set_handler(SIGNAL, sig, handler);
}

UK_API sighandler_t bsd_signal(int sig, sighandler_t handler);
sighandler_t bsd_signal(int sig, sighandler_t handler)
{
    return set_handler(BSD_SIGNAL, sig, handler);
}

UK_API sighandler_t ssignal(int sig, sighandler_t handler)
{
    return set_handler(SSIGNAL, sig, handler);
}

UK_API sighandler_t sysv_signal(int sig, sighandler_t handler);
sighandler_t sysv_signal(int sig, sighandler_t handler)
{
    return set_handler(SYSV_SIGNAL, sig, handler);
}

UK_API sighandler_t __sysv_signal(int sig, sighandler_t handler);
sighandler_t __sysv_signal(int sig, sighandler_t handler)
{
    return set_handler(SYSV_SIGNAL_2, sig, handler);
}

UK_API sighandler_t sigset(int sig, sighandler_t handler)
{
    return set_handler(SIGSET, sig, handler);
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
    if (!exiting)
        return;
    uk_sessions_over();
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
    static bool before;
    other_stack();
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        struct sigaction *p = &previous[fatal[i]];
        if (standing[fatal[i]] || set_action(fatal[i], NULL, p) != 0)
            continue;
        bool usual = !(p->sa_flags & SA_SIGINFO) && p->sa_handler == SIG_DFL;
        if (!usual && ((!(p->sa_flags & SA_SIGINFO) && p->sa_handler == SIG_IGN) || !of_mpi(p))) {
            if (p->sa_flags & SA_SIGINFO || p->sa_handler != SIG_IGN)
                note_alarm(fatal[i]);
            continue;
        }
        struct sigaction ours = {.sa_sigaction = on_signal, .sa_flags = p->sa_flags | SA_SIGINFO | SA_ONSTACK};
        ours.sa_mask = p->sa_mask;
        ours.sa_flags &= ~(int)SA_RESETHAND;
        standing[fatal[i]] = set_action(fatal[i], &ours, NULL) == 0;
    }
    if (!before)
        on_exit(on_exit_code, NULL);
    before = true;
}

void uk_deaths_also(uk_death_note *note)
{
    also = note;
    uk_death_init();
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
