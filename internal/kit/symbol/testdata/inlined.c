#include "site.h"
void tell(const char *label, void *address);
void wait_for_reader(void);
void from_library(void);

static inline __attribute__((always_inline)) void inner(const char *label)
{
    SITE(label); /* MARK inner */
}

static inline __attribute__((always_inline)) void middle(const char *label)
{
    {
        volatile int in_a_block = 1;
        if (in_a_block)
            inner(label); /* MARK middle */
    }
}

__attribute__((noinline)) void plain(void)
{
    SITE("plain"); /* MARK plain */
}

/* The address after a call that does not come back may belong to the next function. */
__attribute__((noinline, noreturn)) static void never_back(void)
{
    SITE("last"); /* MARK last */
    wait_for_reader();
    __builtin_exit(0);
}

__attribute__((noinline, noreturn)) void end_of_function(void)
{
    never_back(); /* MARK end */
}

int main(void)
{
    tell("start", (void *)plain);
    tell("anywhere", (void *)wait_for_reader);
    plain();
    middle("deep"); /* MARK main */
#ifdef LIBRARY
    from_library();
#endif
    end_of_function();
}
