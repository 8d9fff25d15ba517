/*
 * What depends on the run-time of UPC; catalogue.Passages has another file of this name for unknot's own.
 *
 * A run-time of UPC may give the processor away after some strict reads, because a program that reads a flag again and
 * again waits for another thread. Those of the checker are not to count. That is for run-times of which it is known;
 * nothing is done here.
 */
#include "inner.h"

int upck_patience(void)
{
    return 0;
}

void upck_give_patience(int kept)
{
    (void)kept;
}

int upck_heap(unsigned long address)
{
    (void)address;
    return 0;
}

int upck_in_segment(const void *ptr, unsigned long *thread, unsigned long *address)
{
    (void)ptr;
    *thread = *address = 0;
    return -1;
}

int upck_knows_what_acts(void)
{
    return 0;
}

upc_lock_t *upck_gate_lock(void)
{
    return upc_all_lock_alloc();
}
