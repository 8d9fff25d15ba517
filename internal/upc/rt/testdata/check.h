/* What the test programs share. They are written as lowered code would be. */
#include "upcr.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(x)                                                              \
	do {                                                                      \
		if (!(x)) {                                                           \
			fprintf(stderr, "thread %d: %s:%d: not true: %s\n", upcr_thread, __FILE__, __LINE__, #x); \
			exit(1);                                                          \
		}                                                                     \
	} while (0)

#define UNUSED_MAIN (void)argc, (void)argv, (void)envp
