/* Letters go to a file. One thread does not synchronise it, and closes it at once. */
#include <math.h>
#include <stdio.h>
#include <upc.h>
#include <upc_io.h>
#define BLOCK 4

shared [BLOCK] char letters[BLOCK * THREADS];
extern void synchronise(upc_file_t *fd);

static int nothing(void)
{
	return (int)(sin(0.1 * MYTHREAD) / 2.3);
}

int main(void)
{
	int i;
	upc_file_t *fd; /* D */
	upc_forall (i = 0; i < BLOCK * THREADS; i++; &letters[i])
		letters[i] = (char)('a' + i);
	upc_barrier;
	fd = upc_all_fopen("letters.txt", UPC_WRONLY | UPC_COMMON_FP | UPC_CREATE, 0, NULL);
	upc_all_fwrite_shared(fd, letters, BLOCK, sizeof(char), BLOCK * THREADS, UPC_IN_ALLSYNC | UPC_OUT_NOSYNC);
	if (MYTHREAD == 1) {
		if (nothing())
			synchronise(fd);
#ifdef FIXED
		else
			synchronise(fd);
#endif
	} else {
		synchronise(fd);
	}
	upc_all_fclose(fd); /* C */
	return 0;
}
