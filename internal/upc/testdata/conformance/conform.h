/* Each fact is a function FACT(name) below a line "// section text"; all threads call it, between barriers. */
#ifndef CONFORM_H
#define CONFORM_H
#include <upc.h>
#include <upc_collective.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

#define FACT(name) void name(void)

void conform_is(int holds, const char *what, const char *file, int line);
#define IS(x) conform_is((x) ? 1 : 0, #x, __FILE__, __LINE__)

#define EACH(i, n) for (size_t i = 0; i < (size_t)(n); i++)
/* Where element i of an array with blocks of b elements is (UPC 1.3, 6.5.1.1). */
#define OWNER(i, b) ((size_t)(i) / (b) % THREADS)
#define PHASE(i, b) ((size_t)(i) % (b))
#endif
