// Procedures of displaced.f90, which print from where they are called.
#include <stdio.h>

#define PROCEDURE(name)                                     \
    void name##_(int *ierr);                                \
    void name##_(int *ierr)                                 \
    {                                                       \
        printf(#name " %p\n", __builtin_return_address(0)); \
        *ierr = 0;                                          \
    }

PROCEDURE(first)
PROCEDURE(second)
PROCEDURE(third)
PROCEDURE(inner)
PROCEDURE(twice)
PROCEDURE(early)
PROCEDURE(hidden)

void wait_for_end_(const int *n);
void wait_for_end_(const int *n)
{
    (void)n;
    puts("ready");
    fflush(stdout);
    while (getchar() != EOF)
        continue;
}
