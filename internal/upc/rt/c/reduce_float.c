/*
 * Reductions of floating-point types. The code is in reduce.h.
 */
#include <stdlib.h>
#include <string.h>

#include "reduction.h"

#define TYPE float
#define NAME F
#define INTEGER 0
#include "reduce.h"
#define TYPE double
#define NAME D
#define INTEGER 0
#include "reduce.h"
#define TYPE long double
#define NAME LD
#define INTEGER 0
#include "reduce.h"
