/*
 * Private memory, numbers and words: what can be read and written, hashes, values for comparison, and the reasons that
 * sentences end with.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "upck_args.h"

enum { UPCK_PAGE = 4096 };

/* Reasons. */

static char upck_words[512];

const char *upck_reason(void)
{
    return upck_words;
}

void upck_because(const char *format, ...)
{
    char text[sizeof upck_words];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    memcpy(upck_words, text, sizeof text);
}

const char *upck_flag_names(int flags)
{
    static const struct {
        int flag;
        const char *name;
    } names[] = {{UPC_IN_ALLSYNC, "UPC_IN_ALLSYNC"}, {UPC_IN_MYSYNC, "UPC_IN_MYSYNC"},
                 {UPC_IN_NOSYNC, "UPC_IN_NOSYNC"},   {UPC_OUT_ALLSYNC, "UPC_OUT_ALLSYNC"},
                 {UPC_OUT_MYSYNC, "UPC_OUT_MYSYNC"}, {UPC_OUT_NOSYNC, "UPC_OUT_NOSYNC"}};
    static char text[160];
    size_t at = 0;
    text[0] = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (flags & names[i].flag)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", at ? "|" : "", names[i].name);
    flags &= ~(UPCK_IN | UPCK_OUT);
    if (flags)
        snprintf(text + at, sizeof text - at, "%s%#x", at ? "|" : "", (unsigned)flags);
    return text;
}

/* Memory. The kernel is asked to read it into a pipe: it says no where a program would get a signal. */

/* Tries one byte of a page, and, if it is to be written, writes the same value there. */
static int upck_try(const int *pipe, char *byte, int written)
{
    char kept;
    if (write(pipe[1], byte, 1) != 1)
        return 0;
    return written ? read(pipe[0], byte, 1) == 1 || (read(pipe[0], &kept, 1), 0) : read(pipe[0], &kept, 1) == 1;
}

static int upck_touch(const void *ptr, size_t n, int written)
{
    int ends[2], kept = errno, fine = 1;
    char *first = (char *)(uintptr_t)ptr;
    if (n == 0 || pipe(ends) != 0)
        return 1;
    if ((uintptr_t)first + n < (uintptr_t)first)
        fine = 0;
    /* A long range by its ends and some pages between. */
    size_t step = n / 64 > UPCK_PAGE ? n / 64 : UPCK_PAGE;
    for (size_t at = 0; fine && at < n; at += step)
        fine = upck_try(ends, first + at, written);
    if (fine)
        fine = upck_try(ends, first + n - 1, written);
    close(ends[0]);
    close(ends[1]);
    errno = kept;
    return fine;
}

int upck_readable(const void *ptr, size_t n)
{
    return upck_touch(ptr, n, 0);
}

int upck_writable(void *ptr, size_t n)
{
    return upck_touch(ptr, n, 1);
}

int upck_readable_text(const char *text)
{
    for (;;) {
        size_t n = UPCK_PAGE - (uintptr_t)text % UPCK_PAGE;
        if (!upck_readable(text, 1))
            return 0;
        if (memchr(text, 0, n))
            return 1;
        text += n;
    }
}

/* FNV-1a. */
unsigned long upck_hash(unsigned long seed, const void *ptr, size_t n)
{
    const unsigned char *bytes = ptr;
    unsigned long hash = seed ? seed : 0xcbf29ce484222325UL;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3UL;
    return hash;
}

unsigned long upck_hash_text(unsigned long seed, const char *text)
{
    return text ? upck_hash(seed, text, strlen(text) + 1) : upck_hash(seed, "\1", 1);
}

/* Values. */

/* Each process may have the program at another address, and libraries at others still. */
extern char __executable_start[], etext[];

struct upck_value upck_code(int arg, void (*function)(void))
{
    uintptr_t at = (uintptr_t)function, start = (uintptr_t)__executable_start, end = (uintptr_t)etext;
    return upck_unsigned(arg, at >= start && at < end ? at - start : 0);
}
