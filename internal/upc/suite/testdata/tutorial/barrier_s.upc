#include <upc.h>

void meet(void);
void meet(void)
{
	upc_barrier; /* B */
}
