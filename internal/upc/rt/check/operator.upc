/*
 * Functions of the program that reductions call (UPC 1.3, 7.6.3). The library decides which thread calls them, when and
 * how often, so they are to do nothing that other threads could see. While a thread is in a reduction with such a
 * function, all that it does through the checks is done by the function: the library itself was compiled without.
 */
#include "inner.h"

static struct upck_operator current; /* site is 0 outside of such reductions */

struct upck_operator upck_calls_back(const struct upck_site *site, const char *id, int arg, int calls)
{
    struct upck_operator outer = current;
    if (!outer.site && calls && !(upck_without & UPCK_NO_ARGUMENTS))
        current = (struct upck_operator){.site = site, .id = id, .arg = arg};
    return outer;
}

void upck_called_back(struct upck_operator outer)
{
    current = outer;
}

void upck_within(const struct upck_site *site, const char *does)
{
    if (!current.site)
        return;
    const struct upck_site *reduction = current.site;
    const char *text = reduction->args && current.arg < reduction->nargs ? reduction->args[current.arg].text : NULL;
    upck_wrong(site, current.id, UPCK_WARNING, -1,
               text ? "func (`%s`), which %s (%s) calls to combine two elements, %s"
                    : "func%s, which %s (%s) calls to combine two elements, %s",
               text ? text : "", reduction->call, upck_spot(reduction), does);
}

void upck_writes(const struct upck_site *site)
{
    upck_within(site, "writes to shared memory");
}
