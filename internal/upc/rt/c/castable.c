/*
 * upc_castable.h (UPC 1.3, 7.7): all shared objects of the threads of one node can be reached by address.
 */
#include "rt.h"
#include "upc_castable.h"

void *upc_cast(upcr_ptr p);
upc_thread_info_t upc_thread_info(size_t thread);

void *upc_cast(upcr_ptr p)
{
    return upcr_here(p) ? upcr_cast_local(p) : NULL;
}

upc_thread_info_t upc_thread_info(size_t thread)
{
    int which = thread < (size_t)upcr_threads && upcr_near[thread] ? UPC_CASTABLE_ALL : 0;
    return (upc_thread_info_t){which, which};
}
