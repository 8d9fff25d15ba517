/* UPC 1.3: castability. */
#ifndef __UPC_CASTABLE_H__
#define __UPC_CASTABLE_H__

#include <stddef.h>
#include <upc_types.h>

#define UPC_CASTABLE_ALL_ALLOC 1
#define UPC_CASTABLE_GLOBAL_ALLOC 2
#define UPC_CASTABLE_ALLOC 4
#define UPC_CASTABLE_STATIC 8
#define UPC_CASTABLE_ALL 15

typedef struct {
    int guaranteedCastable;
    int probablyCastable;
} upc_thread_info_t;

#ifdef __UPC__ /* the run-time, in C, sees only values and types */
void *upc_cast(const shared void *ptr);
upc_thread_info_t upc_thread_info(size_t threadId);
#endif

#endif
