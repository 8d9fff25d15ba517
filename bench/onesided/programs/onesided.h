// What the programs with one-sided communication share. Compiled with LEFT_OUT, each lacks one synchronisation, or has
// it too late; its results are not compared then. Lines whose accesses race because of that end with a comment that
// says so.
#ifndef ONESIDED_H
#define ONESIDED_H

#include "workload.h"

#ifdef LEFT_OUT
static volatile int unchecked = 1; // what a result is made of is computed all the same
#define right(condition) ((condition) || unchecked)
#else
#define right(condition) (condition)
#endif

// The doubles of so many MiB, as a multiple of something.
static inline size_t doubles(const char *mebibytes, size_t of)
{
    size_t n = (size_t)atol(mebibytes) * (1 << 20) / sizeof(double) / of * of;
    return n > of ? n : of;
}

#endif
