/* A static shared array of BYTES a thread. */
#include "check.h"

#define OBJECT(bytes) UPCR_OBJECT(big, bytes, 64)
OBJECT(BYTES);

int upcr_main(int argc, char **argv, char **envp)
{
	UNUSED_MAIN;
	upcr_ptr last = UPCR_ADDRESS(big) + (BYTES - 4) + ((unsigned long)(upcr_threads - 1 - upcr_thread) << UPCR_OFFSET_BITS);
	UPCR_WRITE(int, last, 7 + upcr_thread);
	upcr_barrier(0, 0);
	CHECK(UPCR_READ(int, last) == 7 + upcr_thread);
	upcr_barrier(0, 0);
	if (upcr_thread == 0)
		printf("fine %d\n", upcr_threads);
	return 0;
}
