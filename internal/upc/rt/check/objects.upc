/*
 * Whether all UPC objects of the program were compiled with checks; the linker takes another program.upc if not.
 */
#include "inner.h"

int upck_unchecked(void)
{
    return upck_unchecked_objects != NULL;
}
