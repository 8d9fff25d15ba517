/*
 * Threads of which the same is to be said are named together.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

enum { MOST = 64 };

static char (*keys)[UPCK_KEY];
static int *of, count;

void upck_groups_start(void)
{
    count = 0;
    if (!of)
        of = malloc((size_t)THREADS * sizeof *of);
    if (!keys)
        keys = malloc(MOST * sizeof *keys);
    for (int t = 0; of && t < THREADS; t++)
        of[t] = -1;
}

void upck_group(int thread, const char *format, ...)
{
    char key[UPCK_KEY];
    int g = 0;
    va_list args;
    if (!of || !keys)
        return;
    va_start(args, format);
    vsnprintf(key, sizeof key, format, args);
    va_end(args);
    while (g < count && strcmp(keys[g], key) != 0)
        g++;
    if (g == MOST)
        return;
    if (g == count)
        strcpy(keys[count++], key);
    of[thread] = g;
}

int upck_groups(void)
{
    return count;
}

const char *upck_group_key(int group)
{
    return keys[group];
}

int upck_group_first(int group)
{
    int t = 0;
    while (t < THREADS - 1 && of[t] != group)
        t++;
    return t;
}

int upck_in_group(int thread)
{
    return of && of[thread] >= 0;
}

int upck_group_members(int group, char *to, size_t size)
{
    int members = 0;
    size_t n = 0;
    for (int t = 0; t < THREADS; t++)
        members += of[t] == group;
    n += (size_t)snprintf(to, size, members == 1 ? "thread " : "threads ");
    for (int t = 0, named = 0; t < THREADS && n < size; t++) {
        int last = t;
        if (of[t] != group)
            continue;
        while (last + 1 < THREADS && of[last + 1] == group)
            last++;
        n += (size_t)snprintf(to + n, size - n,
                              last > t + 1 ? "%s%d-%d"
                              : last > t   ? "%s%d, %d"
                                           : "%s%d",
                              named++ ? ", " : "", t, last);
        t = last;
    }
    return members;
}
