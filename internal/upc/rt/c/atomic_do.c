/*
 * The operations of upc_atomic.h (UPC 1.3, 7.9 of the required libraries) on memory of my node, with the processor's
 * atomic operations. Must not be used on memory of other nodes: its owner does it, see ask.c.
 */
#include <string.h>

#include "atomic.h"
#include "rt.h"
#include "upc_atomic.h"

enum {
    ACCESS = UPC_GET | UPC_SET | UPC_CSWAP,
    BITS = UPC_AND | UPC_OR | UPC_XOR,
    NUMBERS = UPC_ADD | UPC_SUB | UPC_MULT | UPC_INC | UPC_DEC | UPC_MAX | UPC_MIN
};

unsigned upcr_atomic_size(int type)
{
    switch (type) {
    case UPC_INT:
    case UPC_UINT:
    case UPC_INT32:
    case UPC_UINT32:
    case UPC_FLOAT:
        return 4;
    case UPC_LONG:
    case UPC_ULONG:
    case UPC_INT64:
    case UPC_UINT64:
    case UPC_DOUBLE:
    case UPC_PTS:
        return 8;
    }
    return 0;
}

int upcr_atomic_ops(int type)
{
    switch (type) {
    case UPC_PTS:
        return ACCESS;
    case UPC_FLOAT:
    case UPC_DOUBLE:
        return ACCESS | NUMBERS;
    }
    return upcr_atomic_size(type) ? ACCESS | BITS | NUMBERS : 0;
}

/* What the operation makes of a value, by repeated attempts to put it there. */
#define BY_ATTEMPTS(T, U, RESULT)                                                                             \
    do {                                                                                                      \
        U there = __atomic_load_n((U *)at, __ATOMIC_SEQ_CST), next;                                           \
        T x, y, z;                                                                                            \
        memcpy(&y, &a, sizeof y);                                                                             \
        memcpy(&z, &b, sizeof z);                                                                             \
        do {                                                                                                  \
            memcpy(&x, &there, sizeof x);                                                                     \
            T result = RESULT;                                                                                \
            memcpy(&next, &result, sizeof next);                                                              \
        } while (!__atomic_compare_exchange_n((U *)at, &there, next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
        return there;                                                                                         \
    } while (0)

/* Numbers that the processor has no operation for. */
#define NUMBER(NAME, T, U)                    \
    static U NAME(void *at, int op, U a)      \
    {                                         \
        U b = 0;                              \
        switch (op) {                         \
        case UPC_ADD:                         \
            BY_ATTEMPTS(T, U, (T)(x + y));    \
        case UPC_SUB:                         \
            BY_ATTEMPTS(T, U, (T)(x - y));    \
        case UPC_INC:                         \
            BY_ATTEMPTS(T, U, (T)(x + 1));    \
        case UPC_DEC:                         \
            BY_ATTEMPTS(T, U, (T)(x - 1));    \
        case UPC_MULT:                        \
            BY_ATTEMPTS(T, U, (T)(x * y));    \
        case UPC_MIN:                         \
            BY_ATTEMPTS(T, U, y < x ? y : x); \
        default:                              \
            BY_ATTEMPTS(T, U, y > x ? y : x); \
        }                                     \
    }
NUMBER(number_i, int32_t, uint32_t)
NUMBER(number_u, uint32_t, uint32_t)
NUMBER(number_l, int64_t, uint64_t)
NUMBER(number_ul, uint64_t, uint64_t)
NUMBER(number_f, float, uint32_t)
NUMBER(number_d, double, uint64_t)

/* A comparison is one of values: two zeros are equal, and so are pointers of different phase. */
static uint32_t swap_float(void *at, uint32_t a, uint32_t b)
{
    BY_ATTEMPTS(float, uint32_t, x == y ? z : x);
}

static uint64_t swap_double(void *at, uint64_t a, uint64_t b)
{
    BY_ATTEMPTS(double, uint64_t, x == y ? z : x);
}

static uint64_t swap_pointer(void *at, uint64_t a, uint64_t b)
{
    BY_ATTEMPTS(uint64_t, uint64_t, UPCR_EQUAL(x, y) ? z : x);
}

#define SIMPLE(NAME, U)                                                                   \
    static int NAME(void *at, int op, U a, uint64_t *before)                              \
    {                                                                                     \
        U *p = at;                                                                        \
        switch (op) {                                                                     \
        case UPC_GET:                                                                     \
            *before = __atomic_load_n(p, __ATOMIC_SEQ_CST);                               \
            return 1;                                                                     \
        case UPC_SET:                                                                     \
            *before = __atomic_exchange_n(p, a, __ATOMIC_SEQ_CST);                        \
            return 1;                                                                     \
        }                                                                                 \
        return 0;                                                                         \
    }                                                                                     \
    static int NAME##_integer(void *at, int op, U a, U b, uint64_t *before)               \
    {                                                                                     \
        U *p = at;                                                                        \
        switch (op) {                                                                     \
        case UPC_ADD:                                                                     \
            *before = __atomic_fetch_add(p, a, __ATOMIC_SEQ_CST);                         \
            return 1;                                                                     \
        case UPC_SUB:                                                                     \
            *before = __atomic_fetch_sub(p, a, __ATOMIC_SEQ_CST);                         \
            return 1;                                                                     \
        case UPC_INC:                                                                     \
            *before = __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);                         \
            return 1;                                                                     \
        case UPC_DEC:                                                                     \
            *before = __atomic_fetch_sub(p, 1, __ATOMIC_SEQ_CST);                         \
            return 1;                                                                     \
        case UPC_AND:                                                                     \
            *before = __atomic_fetch_and(p, a, __ATOMIC_SEQ_CST);                         \
            return 1;                                                                     \
        case UPC_OR:                                                                      \
            *before = __atomic_fetch_or(p, a, __ATOMIC_SEQ_CST);                          \
            return 1;                                                                     \
        case UPC_XOR:                                                                     \
            *before = __atomic_fetch_xor(p, a, __ATOMIC_SEQ_CST);                         \
            return 1;                                                                     \
        case UPC_CSWAP:                                                                   \
            __atomic_compare_exchange_n(p, &a, b, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
            *before = a;                                                                  \
            return 1;                                                                     \
        }                                                                                 \
        return 0;                                                                         \
    }
SIMPLE(simple_4, uint32_t)
SIMPLE(simple_8, uint64_t)

static uint64_t do_4(void *at, int type, int op, uint32_t a, uint32_t b)
{
    uint64_t before;
    if (simple_4(at, op, a, &before))
        return before;
    if (type == UPC_FLOAT)
        return op == UPC_CSWAP ? swap_float(at, a, b) : number_f(at, op, a);
    if (simple_4_integer(at, op, a, b, &before))
        return before;
    return type == UPC_INT || type == UPC_INT32 ? number_i(at, op, a) : number_u(at, op, a);
}

uint64_t upcr_atomic_do(void *at, int type, int op, uint64_t a, uint64_t b)
{
    uint64_t before;
    if (upcr_atomic_size(type) == 4)
        return do_4(at, type, op, (uint32_t)a, (uint32_t)b);
    if (simple_8(at, op, a, &before))
        return before;
    if (type == UPC_PTS)
        return swap_pointer(at, a, b);
    if (type == UPC_DOUBLE)
        return op == UPC_CSWAP ? swap_double(at, a, b) : number_d(at, op, a);
    if (simple_8_integer(at, op, a, b, &before))
        return before;
    return type == UPC_LONG || type == UPC_INT64 ? number_l(at, op, a) : number_ul(at, op, a);
}
