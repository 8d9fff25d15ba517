/* UPC 1.3: the core library, and strict accesses from here on. */
#include <upc.h>
#pragma upc strict
