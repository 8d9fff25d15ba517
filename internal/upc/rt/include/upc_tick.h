/* UPC 1.3: high-resolution timers. */
#ifndef __UPC_TICK_H__
#define __UPC_TICK_H__

#include <stdint.h>
#include <upc_types.h>

typedef uint64_t upc_tick_t;
#define UPC_TICK_MAX UINT64_MAX
#define UPC_TICK_MIN ((upc_tick_t)0)

upc_tick_t upc_ticks_now(void);
uint64_t upc_ticks_to_ns(upc_tick_t ticks);

#endif
