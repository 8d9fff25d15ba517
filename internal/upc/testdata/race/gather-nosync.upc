/* threads: 2; manifest: the parts are gathered before they are written */
/* race 1: part[0], of thread 0 */
#include <upc.h>
#include <upc_collective.h>

shared int part[THREADS];
shared [] int all[8];

int main(void)
{
    part[MYTHREAD] = MYTHREAD; /* race 1 */
#ifndef FIXED
    upc_all_gather(all, part, sizeof(int), UPC_IN_NOSYNC | UPC_OUT_ALLSYNC); /* race 1 */
#else
    upc_all_gather(all, part, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
#endif
    return 0;
}
