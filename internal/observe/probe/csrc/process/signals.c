// Signals that may end the process: the probe's handler stands before whatever the program or a library of its has for
// them, now or later. It notes the signal, and then does what would have happened without it: it calls their handler
// with the same arguments, on the same stack, under the same mask, or has the default action taken.
//
// Runs: on_signal in a signal handler, on any thread, at any instruction, perhaps on a separate stack; sigaction and
// its old forms wherever the program calls them, in its handlers too; uk_signals_init at MPI_Init, and at shmem_init.
//
// Never: but in uk_signals_init, locks, allocates, or calls what is not safe in a signal handler: the functions that
// stand behind these are looked up in a constructor, or for a library whose constructor comes before ours. Never shows
// the program the probe's handler, and never decides what becomes of it: a signal whose default action ends it is sent
// again with that action.
#define _GNU_SOURCE
#include "process/process.h"
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL,  SIGABRT, SIGTRAP, SIGSYS,  SIGTERM,
                            SIGINT,  SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2};

// What the program wants for a signal. It is replaced while other threads may be reading it, so there are two places
// for it by turns.
static struct {
    struct sigaction at[2];
    unsigned which;
    bool known; // the probe's handler stands before it
} wanted[NSIG];

static const struct sigaction *want(int sig)
{
    return &wanted[sig].at[__atomic_load_n(&wanted[sig].which, __ATOMIC_ACQUIRE)];
}

static void put(int sig, const struct sigaction *a)
{
    unsigned other = !wanted[sig].which;
    wanted[sig].at[other] = *a;
    __atomic_store_n(&wanted[sig].which, other, __ATOMIC_RELEASE);
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

static bool handles(const struct sigaction *a)
{
    return a->sa_flags & SA_SIGINFO || (a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN);
}

static bool usual(const struct sigaction *a)
{
    return !(a->sa_flags & SA_SIGINFO) && a->sa_handler == SIG_DFL;
}

static void on_signal(int sig, siginfo_t *info, void *context);
static void on_signal_again(int sig, siginfo_t *info, void *context);

static bool is_ours(const struct sigaction *a)
{
    return (a->sa_flags & SA_SIGINFO) && (a->sa_sigaction == on_signal || a->sa_sigaction == on_signal_again);
}

// A stack that has overflowed leaves a handler no place to run, so that of the probe for these runs elsewhere.
static bool overflows(int sig)
{
    return sig == SIGSEGV || sig == SIGBUS;
}

// The flags that the probe's handler has need not be the program's.
enum { CHANGED = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND };

// Has the probe's handler stand before an action; ignoring a signal needs none.
static int stand_before(int sig, const struct sigaction *a)
{
    struct sigaction ours = *a;
    if (!usual(a) && !handles(a))
        return set_action(sig, a, NULL);
    ours.sa_sigaction = on_signal;
    ours.sa_flags = (ours.sa_flags | SA_SIGINFO) & ~(int)SA_RESETHAND;
    if (overflows(sig) || usual(a))
        ours.sa_flags |= SA_ONSTACK;
    return set_action(sig, &ours, NULL);
}

// Whether a handler that is to have another stack has left the thread's own for it.
static bool has_changed_stack(const void *context)
{
    const ucontext_t *interrupted = context;
    return !(interrupted->uc_stack.ss_flags & (SS_ONSTACK | SS_DISABLE));
}

// Sends this thread a signal that was sent, once more, as it was.
static void resend(int sig, siginfo_t *info)
{
    const pid_t pid = getpid(), tid = (pid_t)syscall(SYS_gettid);
    if (!info || syscall(SYS_rt_tgsigqueueinfo, pid, tid, sig, info) != 0)
        syscall(SYS_tgkill, pid, tid, sig);
}

static void call(int sig, siginfo_t *info, void *context, const struct sigaction *a)
{
    // One that has asked for the number alone finds the others where no parameters of its are.
    a->sa_sigaction(sig, info, context);
}

// The default action, as if nobody had stood in between: a fault happens again on return, anything else is sent again.
static void take_default(int sig, bool sent)
{
    const struct sigaction none = {.sa_handler = SIG_DFL};
    set_action(sig, &none, NULL);
    if (sent || !uk_fault(sig))
        resend(sig, NULL);
}

static void uk_handled(struct uk_handling *h)
{
    uk_fault_end(h);
}

static void handle(int sig, siginfo_t *info, void *context, bool again)
{
    const struct sigaction a = *want(sig);
    const bool sent = info->si_code <= 0;
    const int keep = errno;
    struct uk_handling h __attribute__((cleanup(uk_handled))) = {.frame = UK_FRAME};
    uk_fault_begin(&h, sig, info, context, again, !handles(&a));
    if (!handles(&a)) {
        uk_fault_ends();
        take_default(sig, sent);
        return;
    }
    if (!(a.sa_flags & SA_ONSTACK) && overflows(sig) && !again && has_changed_stack(context)) {
        // Its place is the thread's stack, where it does not run if there is no room: the signal comes again, and then
        // finds it there.
        struct sigaction next = a;
        next.sa_sigaction = on_signal_again;
        next.sa_flags = (next.sa_flags | SA_SIGINFO) & ~(int)SA_RESETHAND;
        uk_fault_comes_again(&h);
        set_action(sig, &next, NULL);
        if (sent)
            resend(sig, info);
        errno = keep;
        return;
    }
    if (a.sa_flags & (int)SA_RESETHAND) {
        struct sigaction reset = a;
        reset.sa_flags &= ~SA_SIGINFO;
        reset.sa_handler = SIG_DFL;
        put(sig, &reset);
        stand_before(sig, &reset);
    }
    errno = keep;
    call(sig, info, context, &a);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
    struct sigaction now;
    if (uk_fault_in_probe())
        return;
    if (set_action(sig, NULL, &now) == 0 && !is_ours(&now)) {
        // A handler that was installed past the probe calls the one that it found, perhaps with the number alone.
        const struct sigaction a = *want(sig);
        if (handles(&a))
            call(sig, info, context, &a);
        else if (uk_fault(sig))
            set_action(sig, &a, NULL);
        return;
    }
    handle(sig, info, context, false);
}

static void on_signal_again(int sig, siginfo_t *info, void *context)
{
    stand_before(sig, want(sig));
    handle(sig, info, context, true);
}

// Notes that the program handles SIGALRM, which may wake its threads.
static void note_alarm(int sig, const struct sigaction *a)
{
    if (sig == SIGALRM && handles(a) && uk_process.first && uk_is_ours())
        __atomic_store_n(&uk_process.first->alarmed, 1, __ATOMIC_RELEASE);
}

static bool stands(int sig)
{
    return sig > 0 && sig < NSIG && wanted[sig].known;
}

// The action that the program would find without the probe.
static struct sigaction shown(int sig, const struct sigaction *found)
{
    struct sigaction a = *found;
    const struct sigaction *theirs = want(sig);
    if (!is_ours(found))
        return a;
    a.sa_flags = (a.sa_flags & ~CHANGED) | (theirs->sa_flags & CHANGED);
    if (theirs->sa_flags & SA_SIGINFO)
        a.sa_sigaction = theirs->sa_sigaction;
    else
        a.sa_handler = theirs->sa_handler;
    return a;
}

UK_API int sigaction(int sig, const struct sigaction *new, struct sigaction *old)
{
    if (!stands(sig))
        return set_action(sig, new, old);
    struct sigaction was;
    int rc = set_action(sig, NULL, &was);
    if (rc != 0)
        return rc;
    was = shown(sig, &was);
    if (new) {
        const struct sigaction a = *new; // may be where old is
        note_alarm(sig, &a);
        put(sig, &a);
        rc = stand_before(sig, &a);
    }
    if (rc == 0 && old)
        *old = was;
    return rc;
}

UK_API int __sigaction(int sig, const struct sigaction *new, struct sigaction *old);
int __sigaction(int sig, const struct sigaction *new, struct sigaction *old)
{
    return sigaction(sig, new, old);
}

// These have flags and masks of their own: what the library makes of them is looked up.
static sighandler_t set_handler(unsigned which, int sig, sighandler_t handler)
{
    if (!real_signals[which])
        resolve();
    if (!stands(sig))
        return real_signals[which](sig, handler);
    const struct sigaction before = *want(sig);
    sighandler_t found = real_signals[which](sig, handler);
    struct sigaction now;
    if (found != SIG_ERR && set_action(sig, NULL, &now) == 0 && !is_ours(&now)) {
        note_alarm(sig, &now);
        put(sig, &now);
        stand_before(sig, &now);
    }
    if (found == (sighandler_t)(void *)on_signal || found == (sighandler_t)(void *)on_signal_again)
        return before.sa_flags & SA_SIGINFO ? (sighandler_t)(void *)before.sa_sigaction : before.sa_handler;
    return found;
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

// A thread gets another stack for handlers, unless it has one.
static void other_stack(void)
{
    stack_t old, ours = {.ss_size = 64 * 1024};
    if (sigaltstack(NULL, &old) != 0 || !(old.ss_flags & SS_DISABLE))
        return;
    ours.ss_sp = mmap(NULL, ours.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (ours.ss_sp != MAP_FAILED)
        sigaltstack(&ours, NULL);
}

void uk_signals_init(void)
{
    other_stack();
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        const int sig = fatal[i];
        struct sigaction found;
        if (wanted[sig].known || set_action(sig, NULL, &found) != 0)
            continue;
        note_alarm(sig, &found);
        put(sig, &found);
        wanted[sig].known = stand_before(sig, &found) == 0;
    }
}
