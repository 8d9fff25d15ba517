// Jumps of the program out of an MPI call, from an error handler or a signal handler: the call is over at once, not
// only when the thread makes its next one, which others may be waiting for. So is a signal that a handler is left of.
//
// Runs: wherever the program jumps, in its signal handlers and in error handlers that MPI calls.
//
// Never: locks or allocates, for a handler may have interrupted anything (uk_abandon keeps to that); changes where the
// jump goes. The functions that stand behind these are looked up in a constructor.
#define _GNU_SOURCE
#include "process/process.h"
#include <dlfcn.h>
#include <setjmp.h>

typedef void jump_type(struct __jmp_buf_tag *, int);

#if defined __aarch64__ && defined __GLIBC__
enum { JB_SP = 13 };
// The number, another one in each process, by which the C library hides stack pointers there.
static unsigned long long guard;

__attribute__((constructor)) static void learn_guard(void)
{
    struct __jmp_buf_tag here[1];
    unsigned long long sp;
    __asm__("mov %0, sp" : "=r"(sp));
    if (_setjmp(here) == 0)
        guard = here->__jmpbuf[JB_SP] ^ sp;
}
#endif

// The stack pointer that a jump restores; NULL where it is not known how the C library keeps it.
static void **target(const struct __jmp_buf_tag *env)
{
#if defined __x86_64__ && defined __GLIBC__
    uintptr_t p = (uintptr_t)env->__jmpbuf[6];
    __asm__("rorq $17, %0\n\txorq %%fs:0x30, %0" : "+r"(p));
    return (void **)p;
#elif defined __aarch64__ && defined __GLIBC__
    return (void **)(env->__jmpbuf[JB_SP] ^ guard);
#else
    (void)env;
    return NULL;
#endif
}

enum { LONGJMP, _LONGJMP, SIGLONGJMP, LONGJMP_CHK };
static const char *const names[] = {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"};
static jump_type *reals[sizeof names / sizeof *names];

// Signal handlers jump too, so nothing may be left to look up; but another library's constructor may run before.
__attribute__((constructor)) static void resolve(void)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        reals[i] = (jump_type *)dlsym(RTLD_NEXT, names[i]);
}

static _Noreturn void jump(unsigned which, struct __jmp_buf_tag env[1], int value)
{
    struct uk_thread *t = &uk_self;
    if (t->gate == UK_INSIDE && uk_call.frame && target(env) > uk_call.frame && uk_is_ours())
        uk_abandon(t);
    uk_fault_left(target(env));
    if (!reals[which])
        resolve();
    reals[which](env, value);
    __builtin_unreachable();
}

UK_API _Noreturn void longjmp(struct __jmp_buf_tag env[1], int value)
{
    jump(LONGJMP, env, value);
}

UK_API _Noreturn void _longjmp(struct __jmp_buf_tag env[1], int value)
{
    jump(_LONGJMP, env, value);
}

UK_API _Noreturn void siglongjmp(struct __jmp_buf_tag env[1], int value)
{
    jump(SIGLONGJMP, env, value);
}

// What _FORTIFY_SOURCE makes of all of them.
UK_API _Noreturn void __longjmp_chk(struct __jmp_buf_tag env[1], int value);
void __longjmp_chk(struct __jmp_buf_tag env[1], int value)
{
    jump(LONGJMP_CHK, env, value);
}
