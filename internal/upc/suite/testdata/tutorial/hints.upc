/* A file is opened with a hint for which nobody has allocated memory. */
#include <stdio.h>
#include <upc.h>
#include <upc_io.h>

int main(void)
{
	size_t numhints; /* N */
	upc_file_t *log;
	struct upc_hint *hints = NULL; /* H */
#ifdef FIXED
	struct upc_hint one = {"access_style", "sequential"};
	hints = &one;
#endif
	numhints = 1;
	log = upc_all_fopen("log.txt", UPC_INDIVIDUAL_FP | UPC_WRONLY | UPC_CREATE, numhints, hints); /* A */
	if (log != NULL)
		upc_all_fclose(log);
	else if (MYTHREAD == 0)
		printf("the file is not open\n");
	return 0;
}
