/*
 * Places in words.
 */
#include <stdio.h>

#include "upck.h"

enum { LONGEST = 200 };

const char *upck_at(const char *file, int line)
{
    static char places[4][LONGEST];
    static int last;
    last = (last + 1) % 4;
    snprintf(places[last], sizeof places[last], line > 0 ? "%s:%d" : "%s", file, line);
    return places[last];
}

const char *upck_spot(const struct upck_site *site)
{
    return upck_at(site->file, site->line);
}
