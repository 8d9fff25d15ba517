/*
 * The memory functions of upc.h (UPC 1.3, 7.2.5). Relaxed accesses.
 */
#include <string.h>

#include "rt.h"

void upc_memcpy(upcr_ptr to, upcr_ptr from, size_t bytes);
void upc_memget(void *to, upcr_ptr from, size_t bytes);
void upc_memput(upcr_ptr to, const void *from, size_t bytes);
void upc_memset(upcr_ptr to, int c, size_t bytes);

void upc_memcpy(upcr_ptr to, upcr_ptr from, size_t bytes)
{
    upcr_record_read(from, bytes);
    upcr_record_write(to, bytes);
    upcr_copy(to, from, bytes);
}

void upc_memget(void *to, upcr_ptr from, size_t bytes)
{
    upcr_record_read(from, bytes);
    upcr_record_near_write(to, bytes);
    upcr_get(to, from, bytes);
}

void upc_memput(upcr_ptr to, const void *from, size_t bytes)
{
    upcr_record_near_read(from, bytes);
    upcr_record_write(to, bytes);
    upcr_put(to, from, bytes);
}

void upc_memset(upcr_ptr to, int c, size_t bytes)
{
    upcr_record_write(to, bytes);
    if (upcr_here(to)) {
        memset(upcr_at(to), c, bytes);
        return;
    }
    char same[4096];
    memset(same, c, bytes < sizeof same ? bytes : sizeof same);
    for (unsigned long done = 0; done < bytes; done += sizeof same)
        upcr_put(to + done, same, bytes - done < sizeof same ? bytes - done : sizeof same);
}
