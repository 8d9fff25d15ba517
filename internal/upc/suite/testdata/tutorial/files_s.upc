#include <upc.h>
#include <upc_io.h>

void synchronise(upc_file_t *fd);
void synchronise(upc_file_t *fd)
{
	upc_all_fsync(fd); /* S */
}
