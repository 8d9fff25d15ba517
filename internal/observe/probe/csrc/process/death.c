// How a process ends: the cause is left in its first ring, and the process then ends exactly as it would have. A signal
// that the program handles is noted as what may become the cause: it does if the process ends by it, or in the handler.
//
// Runs: uk_gives_up where a process writes to its launcher; uk_fault_begin, uk_fault_end and what they call in a signal
// handler, on any thread, at any instruction; uk_fault_left where the program jumps; _exit, _Exit and quick_exit in
// handlers too, and in children after vfork, whose memory is the parent's; on_exit_code in exit; at_end after the
// program's destructors; uk_death_init at MPI_Init, and at shmem_init.
//
// Never: but in uk_death_init, locks, allocates, or calls what is not safe in a signal handler. Never decides how the
// process ends: _exit exits with the program's status.
#define _GNU_SOURCE
#include "process/process.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

static int exit_code;
static bool exiting;
static uk_death_note *also;   // of the probe of OpenSHMEM
static struct uk_fault apart; // as long as there is no ring
static unsigned handlings;
static __thread struct uk_handling *handling __attribute__((tls_model("initial-exec")));
static __thread bool again __attribute__((tls_model("initial-exec"))); // the thread's signal was noted, and comes again
static __thread unsigned handed __attribute__((tls_model("initial-exec"))); // the number of its note

static uint64_t nanos(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Of a thread that has not called MPI it is not known what it did last.
static uint32_t this_thread(void)
{
    return uk_self.ring ? uk_self.index : UK_NO_THREAD;
}

static void died(unsigned cause, int code, int sender, const struct uk_fault *f)
{
    if (!uk_is_ours() || uk_process.first->death.cause != UK_DEATH_NONE)
        return;
    struct uk_death *d = &uk_process.first->death;
    d->code = code;
    d->sender = sender;
    d->thread = f ? f->thread : this_thread();
    d->addr = f ? f->addr : 0;
    d->nanos = f ? f->nanos : nanos();
    __atomic_store_n(&d->cause, cause, __ATOMIC_RELEASE);
}

void uk_died(unsigned cause, int code)
{
    if (also && cause == UK_DEATH_EXIT)
        also(0, code, 0, NULL);
    if (uk_is_ours() && uk_process.first->death.cause == UK_DEATH_NONE)
        uk_last_words(cause);
    died(cause, code, 0, NULL);
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

bool uk_fault(int sig)
{
    return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL;
}

static struct uk_fault *last_fault(void)
{
    return uk_is_ours() ? &uk_process.first->fault : &apart;
}

// A fault that is being handled is the cause of whatever else comes meanwhile, unless its thread has gone on since.
// What a handler sends its own process belongs to what it handles, also where it comes when the handler has returned.
static bool belongs(const struct uk_fault *f, int sig, bool own, uint64_t pc, uint32_t tid)
{
    if (f->state == UK_FAULT_INSIDE && uk_fault(f->signal))
        return f->tid != tid || f->stamp == uk_self.stamp;
    return own && f->tid == tid &&
           (f->state == UK_FAULT_INSIDE || (f->state == UK_FAULT_PAST && f->signal == sig && f->addr == pc));
}

void uk_fault_begin(struct uk_handling *h, int sig, const siginfo_t *info, const void *context, bool once_more,
                    bool unhandled)
{
    struct uk_fault *f = last_fault();
    const uint32_t tid = (uint32_t)syscall(SYS_gettid);
    const uint64_t pc = (uint64_t)(uintptr_t)counter(context);
    const bool names = info->si_code == SI_USER || info->si_code == SI_TKILL || info->si_code == SI_QUEUE; // its sender
    const bool own = names && info->si_pid == getpid();
    h->outer = handling;
    handling = h;
    if (once_more && again && f->state == UK_FAULT_INSIDE && f->tid == tid && f->signal == sig) {
        again = false;
        h->number = handed;
        return;
    }
    again = false;
    h->number = 0;
    if (belongs(f, sig, own, pc, tid)) {
        if (f->state == UK_FAULT_PAST)
            f->state = UK_FAULT_INSIDE;
        return;
    }
    h->number = __atomic_add_fetch(&handlings, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&f->state, UK_FAULT_NONE, __ATOMIC_RELEASE);
    f->signal = sig;
    f->sender = names ? info->si_pid : 0;
    f->thread = this_thread();
    f->tid = tid;
    f->stamp = uk_self.stamp;
    f->addr = pc;
    f->nanos = nanos();
    __atomic_store_n(&f->state, UK_FAULT_INSIDE, __ATOMIC_RELEASE);
    if (uk_is_ours() && (unhandled || uk_fault(sig) || own))
        uk_last_place(counter(context), unhandled);
    if (uk_is_ours() && sig == SIGABRT && own)
        uk_last_words(UK_DEATH_SIGNAL);
}

void uk_fault_comes_again(struct uk_handling *h)
{
    again = true;
    handed = h->number;
    h->number = 0;
}

void uk_fault_end(struct uk_handling *h)
{
    struct uk_fault *f = last_fault();
    handling = h->outer;
    if (h->number != 0 && h->number == __atomic_load_n(&handlings, __ATOMIC_RELAXED) && f->state == UK_FAULT_INSIDE)
        __atomic_store_n(&f->state, UK_FAULT_PAST, __ATOMIC_RELEASE);
}

void uk_fault_left(void **to)
{
    void **here = UK_FRAME;
    while (handling && !(here <= to && to <= handling->frame))
        uk_fault_end(handling);
}

void uk_fault_ends(void)
{
    const struct uk_fault *f = last_fault();
    if (also)
        also(f->signal, f->signal, f->sender, (void *)(uintptr_t)f->addr);
    died(UK_DEATH_SIGNAL, f->signal, f->sender, f);
}

// Where a process exits in a handler, the signal is the cause. The exit status is what it says beside that.
static void exits(int code)
{
    const struct uk_fault *f = last_fault();
    if (uk_is_ours() && handling && f->state == UK_FAULT_INSIDE && f->tid == (uint32_t)syscall(SYS_gettid)) {
        if (also)
            also(0, code, 0, NULL);
        died(UK_DEATH_EXIT, code, f->sender, f);
        return;
    }
    uk_died(UK_DEATH_EXIT, code);
}

static void on_exit_code(int code, void *unused)
{
    (void)unused;
    exit_code = code;
    exiting = true;
    if (uk_is_ours() && uk_process.first->death.cause == UK_DEATH_NONE && uk_process.first->death.final != 1 &&
        !(handling && last_fault()->state == UK_FAULT_INSIDE))
        uk_last_words(UK_DEATH_EXIT);
}

// Runs after the program's own exit functions and destructors, some of which may still call MPI_Finalize.
__attribute__((destructor)) static void at_end(void)
{
    if (!exiting)
        return;
    uk_sessions_over();
    exits(exit_code);
}

void uk_death_init(void)
{
    static bool before;
    uk_last_init();
    uk_signals_init();
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
    exits(code);
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

// The first words of the line by which a process asks the launcher to end the job (PMI-1); the error code follows.
static const char abort_line[] = "cmd=abort exitcode=";

// An MPI library that gives up asks the launcher to end the job, which may kill the process before it gets to exit.
void uk_gives_up(const char *text, size_t length)
{
    char code[16] = "";
    const size_t begin = sizeof abort_line - 1;
    if (uk_self.gate != UK_INSIDE || !uk_call.frame || handling || length <= begin ||
        memcmp(text, abort_line, begin) != 0)
        return;
    for (size_t i = 0; i < sizeof code - 1 && begin + i < length; i++)
        code[i] = text[begin + i];
    uk_died(UK_DEATH_EXIT, atoi(code));
}

UK_API _Noreturn void quick_exit(int code)
{
    typedef void quick_exit_type(int);
    quick_exit_type *real = (quick_exit_type *)dlsym(RTLD_NEXT, "quick_exit");
    if (uk_is_ours() && uk_process.first->death.final != 1)
        exits(code);
    if (real)
        real(code);
    leave_at_once(code);
}
