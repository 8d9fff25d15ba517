/* Copy, scale, add and triad over three vectors. */
#ifndef STREAM_H
#define STREAM_H
#include "common.h"
#define STREAM_TIMES 10
#define STREAM_BLOCK 250000 /* elements of a block: each thread has some */
#define STREAM_BLOCKS(class) ((class) == 'S' ? 1 : (class) == 'W' ? 4 : (class) == 'A' ? 16 : 64) /* blocks of a thread */
static int stream_verify(double a, double b, double c)
{
	double x = 1, y = 2, z = 0;
	for (int k = 0; k < STREAM_TIMES; k++) {
		z = x;
		y = 0.25 * z;
		z = x + y;
		x = y + 0.5 * z;
	}
	return close_to(a, x, 1e-12) && close_to(b, y, 1e-12) && close_to(c, z, 1e-12);
}
#endif
