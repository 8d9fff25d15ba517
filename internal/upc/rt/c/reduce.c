/*
 * Reductions of integers; those of floating-point types are in reduce_float.c. The code is in reduce.h.
 */
#include <stdlib.h>
#include <string.h>

#include "reduction.h"

#define TYPE signed char
#define NAME C
#define INTEGER 1
#include "reduce.h"
#define TYPE unsigned char
#define NAME UC
#define INTEGER 1
#include "reduce.h"
#define TYPE short
#define NAME S
#define INTEGER 1
#include "reduce.h"
#define TYPE unsigned short
#define NAME US
#define INTEGER 1
#include "reduce.h"
#define TYPE int
#define NAME I
#define INTEGER 1
#include "reduce.h"
#define TYPE unsigned
#define NAME UI
#define INTEGER 1
#include "reduce.h"
#define TYPE long
#define NAME L
#define INTEGER 1
#include "reduce.h"
#define TYPE unsigned long
#define NAME UL
#define INTEGER 1
#include "reduce.h"
