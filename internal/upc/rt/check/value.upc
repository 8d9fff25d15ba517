/*
 * Values of single-valued arguments, in a form that can be compared between threads and printed.
 */
#include <stdio.h>
#include <string.h>

#include "inner.h"

struct upck_value upck_int(int arg, long long value)
{
    struct upck_value v = {.arg = arg, .kind = UPCK_INT, .bits = {(unsigned long long)value}};
    return v;
}

struct upck_value upck_unsigned(int arg, unsigned long long value)
{
    struct upck_value v = {.arg = arg, .kind = UPCK_UNSIGNED, .bits = {value}};
    return v;
}

struct upck_value upck_shared(int arg, shared const void *value)
{
    shared void *p = (shared void *)value;
    struct upck_value v = {
        .arg = arg, .kind = UPCK_SHARED, .bits = {upc_threadof(p), upc_phaseof(p), upc_addrfield(p)}};
    return v;
}

/* The hash, and some characters for the words: of a long text the last ones, where names of files mostly differ. */
struct upck_value upck_text(int arg, const char *value)
{
    enum { SHOWN = 15 };
    struct upck_value v = {.arg = arg, .kind = UPCK_TEXT};
    unsigned long hash = 1;
    for (const char *p = value; p && *p; p++)
        hash = upck_mix(hash, (unsigned char)*p);
    v.bits[0] = hash;
    size_t length = value ? strlen(value) : 0;
    char shown[SHOWN + 1] = "";
    if (length > SHOWN)
        snprintf(shown, sizeof shown, "...%s", value + length - (SHOWN - 3));
    else if (value)
        strcpy(shown, value);
    memcpy(&v.bits[1], shown, sizeof shown);
    return v;
}

struct upck_value upck_double(int arg, double value)
{
    struct upck_value v = {.arg = arg, .kind = UPCK_DOUBLE};
    memcpy(v.bits, &value, sizeof value);
    return v;
}
