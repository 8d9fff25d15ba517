/* What the programs of this folder share: a check that says where it failed. */
#ifndef CHECK_H
#define CHECK_H
#include <upc.h>
#include <stdio.h>
#include <string.h>
extern int failures;
#define CHECK(c) \
	do { \
		if (!(c)) { \
			failures++; \
			printf("%s:%d: thread %d of %d: %s\n", __FILE__, __LINE__, MYTHREAD, THREADS, #c); \
			fflush(stdout); \
		} \
	} while (0)
#endif
