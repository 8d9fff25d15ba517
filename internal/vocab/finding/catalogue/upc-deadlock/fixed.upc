#include <upc.h>

int main(void)
{
	upc_barrier;
	return 0;
}
