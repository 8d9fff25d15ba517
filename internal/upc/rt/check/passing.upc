/*
 * Collective operations that nobody tells of: in sources without checks. They are counted, so that what is compared is
 * the n-th operation on all threads, whoever tells of it; upc_notify and upc_wait open and close their phase; a lock
 * that is released is not held any more. The calls come from functions that the linker puts before those of the
 * run-time of UPC (catalogue.Passages). Of other compilers' run-times nothing is known.
 */
#include "inner.h"

static const struct upck_site unseen = {.call = "upc_notify", .file = "a part without checks"};

int upck_passing(void)
{
    int outer = upck_mine.inside;
    if (!outer)
        upck_skip();
    upck_mine.inside = 1; /* what the library calls on its way is not counted */
    return outer;
}

void upck_passed(int outer)
{
    upck_mine.inside = outer;
}

void upck_passed_notify(void)
{
    upck_mine.open = 1;
    upck_mine.notified = &unseen;
}

void upck_passed_wait(void)
{
    upck_mine.open = 0;
}
