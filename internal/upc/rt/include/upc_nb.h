/* UPC 1.3: non-blocking transfers. */
#ifndef __UPC_NB_H__
#define __UPC_NB_H__

#include <stddef.h>
#include <upc_types.h>

typedef struct __upc_transfer *upc_handle_t;
#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)

#ifdef __UPC__ /* the run-time, in C, sees only values and types */
upc_handle_t upc_memcpy_nb(shared void *restrict dst, shared const void *restrict src, size_t n);
upc_handle_t upc_memget_nb(void *restrict dst, shared const void *restrict src, size_t n);
upc_handle_t upc_memput_nb(shared void *restrict dst, const void *restrict src, size_t n);
upc_handle_t upc_memset_nb(shared void *dst, int c, size_t n);
int upc_sync_attempt(upc_handle_t handle);
void upc_sync(upc_handle_t handle);

void upc_memcpy_nbi(shared void *restrict dst, shared const void *restrict src, size_t n);
void upc_memget_nbi(void *restrict dst, shared const void *restrict src, size_t n);
void upc_memput_nbi(shared void *restrict dst, const void *restrict src, size_t n);
void upc_memset_nbi(shared void *dst, int c, size_t n);
int upc_synci_attempt(void);
void upc_synci(void);
#endif

#endif
