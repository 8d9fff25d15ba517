#include "site.h"

static inline __attribute__((always_inline)) void helper(void)
{
    SITE("library"); /* MARK helper */
}

void from_library(void)
{
    helper(); /* MARK library */
}
