// What random loops (loops_test.go) work on, and how they write an access: L for a load, S for a store. The loops are compiled twice: by unknot,
// and otherwise, with each access noted by itself.
#ifndef LOOPS_H
#define LOOPS_H

#include <stddef.h>
#include <stdint.h>

enum { LENGTH = 4096, ROW = 64 };

struct point {
    double x, y, z;
};

struct memory {
    _Alignas(64) char c[LENGTH];
    short s[LENGTH];
    int i[LENGTH], chosen[LENGTH], at[LENGTH];
    float f[LENGTH];
    double d[LENGTH], e[LENGTH], grid[ROW][ROW], out[LENGTH], sum;
    struct point p[LENGTH];
    // Loaded in the loops.
    double *to, *from;
    int count, stride;
};
extern struct memory m;

// Notes an access and gives its address back.
void *loops_note(const volatile void *at, size_t size, int store);

#ifdef NAIVE
#define NAME(f) naive_##f
#define L(x) (*(__typeof__(x) *)loops_note(&(x), sizeof(x), 0))
#define S(x) (*(__typeof__(x) *)loops_note(&(x), sizeof(x), 1))
#else
#define NAME(f) tested_##f
#define L(x) (x)
#define S(x) (x)
#endif

struct loop {
    const char *text;
    void (*tested)(int n), (*naive)(int n);
};
extern const struct loop loops[];
extern const int loops_count;

#endif
