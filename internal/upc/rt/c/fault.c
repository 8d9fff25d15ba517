/*
 * Accesses to shared memory that is not there. A handler may only say so, by one write: then it lets the fault happen
 * again, for whoever would have handled it otherwise. Under `unknot run` the program is ended instead, so that the
 * report says where it was.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <ucontext.h>

#include "rt.h"
#include "segment.h"

enum { NULL_PAGE = 4096 };
static const char where[] = "unknot run and gdb show where";

static struct sigaction before_segv, before_bus;
uintptr_t upcr_failed_at;
int upcr_access_failed;

static int is_null(unsigned long thread, unsigned long offset)
{
    return thread == 0 && offset < NULL_PAGE;
}

static void describe(char *to, size_t size, unsigned long thread, unsigned long offset)
{
    const struct upcr_extent *objects = &upcr_extents[UPCR_PART_STATIC];
    if (is_null(thread, offset)) {
        snprintf(to, size, "thread %d follows a null pointer-to-shared", upcr_thread);
        return;
    }
    if (thread >= (unsigned long)upcr_threads) {
        /* An address below thread 0's memory is that of the last thread that a pointer can have. */
        if (thread == UPCR_MAX_THREADS - 1 && offset > UPCR_SEGMENT / 2)
            snprintf(to, size, "thread %d accesses an address %lu bytes below the shared memory of thread 0",
                     upcr_thread, UPCR_SEGMENT - offset + objects->start);
        else
            snprintf(to, size, "thread %d accesses shared memory of thread %lu, and there are %d threads", upcr_thread,
                     thread, upcr_threads);
        return;
    }
    int n = snprintf(to, size, "thread %d accesses address %#lx in the shared memory of thread %lu, ", upcr_thread,
                     offset, thread);
    if (offset < objects->start)
        snprintf(to + n, size - (size_t)n, "which begins at %#lx", objects->start);
    else if (offset < upcr_heap_low)
        snprintf(to + n, size - (size_t)n, "whose static objects end at %#lx", objects->end);
    else
        snprintf(to + n, size - (size_t)n, "which ends at %#lx", upcr_heap_high);
}

void upcr_wrong_place(unsigned long thread, unsigned long offset)
{
    char text[300];
    const char *hint = is_null(thread, offset)
                           ? "give the pointer a value before it is followed"
                           : "compare the index or the pointer of the access with the size of the object";
    describe(text, sizeof text, thread, offset);
    upcr_access_failed = 1;
    upcr_fail("%s; hint: %s", text, upcr_watched ? hint : where);
}

static uintptr_t instruction(const void *context)
{
    const ucontext_t *c = context;
#if defined __x86_64__
    return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    return (uintptr_t)c->uc_mcontext.pc;
#else
    (void)c;
    return 0;
#endif
}

static void wrong_access(unsigned long thread, unsigned long offset, const void *context)
{
    char text[300];
    if (upcr_watched) {
        upcr_end_in_time();
        upcr_failed_at = instruction(context);
        upcr_wrong_place(thread, offset);
    }
    describe(text, sizeof text, thread, offset);
    upcr_say("%s; hint: %s", text, where);
}

static void fault(int signal, siginfo_t *info, void *context)
{
    unsigned long at = (unsigned long)((char *)info->si_addr - upcr_node);
    unsigned long reach =
        (uintptr_t)upcr_node == UPCR_REMOTE ? UPCR_PLACE_MASK : ((unsigned long)upcr_threads << UPCR_OFFSET_BITS) - 1;
    if (at <= reach) {
        if (signal == SIGBUS)
            upcr_say("thread %d finds no memory for its shared data; hint: fewer threads on this machine, or less data",
                     upcr_thread);
        else
            wrong_access(at >> UPCR_OFFSET_BITS, at & (UPCR_SEGMENT - 1), context);
    }
    upcr_record_dies();
    upcr_sigaction(signal, signal == SIGBUS ? &before_bus : &before_segv, NULL);
}

void upcr_fault_prepare(void)
{
    struct sigaction handler = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO};
    upcr_sigaction(SIGSEGV, &handler, &before_segv);
    upcr_sigaction(SIGBUS, &handler, &before_bus);
}
