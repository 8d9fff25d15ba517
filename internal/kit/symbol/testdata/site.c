#include "site.h"
#include <stdio.h>

__attribute__((noinline)) void site(const char *label)
{
    printf("%s %p\n", label, __builtin_return_address(0));
}

/* For Fortran, which has numbers at hand. */
__attribute__((noinline)) void numbered_site(int n)
{
    printf("%d %p\n", n, __builtin_return_address(0));
}

void tell(const char *label, void *address)
{
    printf("%s %p\n", label, address);
}

/* The reader of the addresses ends standard input when it has read the maps. */
void wait_for_reader(void)
{
    printf("ready 0\n");
    fflush(stdout);
    while (getchar() != EOF) {
    }
}
