/*
 * The calls of the program's functions around the current place, if they are followed (-s).
 */
#include "report.h"

enum { DEEPEST = 256 };
static const struct upck_site *calls[DEEPEST];
static int depth;

void upck_push(const struct upck_site *site)
{
    if (depth < DEEPEST)
        calls[depth] = site;
    depth++;
}

void upck_pop(void)
{
    if (depth > 0)
        depth--;
}

const struct upck_site *upck_call(int i)
{
    int kept = depth < DEEPEST ? depth : DEEPEST;
    return i < kept ? calls[kept - 1 - i] : NULL;
}

void upck_put_calls(void)
{
    char place[UPCK_KEY];
    if (depth > DEEPEST)
        upck_put("  ... %d calls that are not kept\n", depth - DEEPEST);
    for (int i = depth < DEEPEST ? depth - 1 : DEEPEST - 1; i >= 0; i--) {
        upck_text_place(place, sizeof place, calls[i]);
        upck_put("  called from %s\n", place);
    }
}
