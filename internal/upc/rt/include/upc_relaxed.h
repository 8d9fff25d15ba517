/* UPC 1.3: the core library, and relaxed accesses from here on. */
#include <upc.h>
#pragma upc relaxed
