/* UPC 1.3: the core library. */
#ifndef __UPC_H__
#define __UPC_H__

#include <stddef.h>
#include <upc_types.h>

void upc_global_exit(int status);

shared void *upc_global_alloc(size_t nblocks, size_t nbytes);
shared void *upc_all_alloc(size_t nblocks, size_t nbytes);
shared void *upc_alloc(size_t nbytes);
void upc_free(shared void *ptr);
void upc_all_free(shared void *ptr);
/* Not in UPC 1.3; for programs of UPC 1.2. */
shared void *upc_local_alloc(size_t nblocks, size_t nbytes);

size_t upc_threadof(shared void *ptr);
size_t upc_phaseof(shared void *ptr);
size_t upc_addrfield(shared void *ptr);
shared void *upc_resetphase(shared void *ptr);
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);

typedef shared struct __upc_lock upc_lock_t;
upc_lock_t *upc_global_lock_alloc(void);
upc_lock_t *upc_all_lock_alloc(void);
void upc_lock_free(upc_lock_t *ptr);
void upc_all_lock_free(upc_lock_t *ptr);
void upc_lock(upc_lock_t *ptr);
int upc_lock_attempt(upc_lock_t *ptr);
void upc_unlock(upc_lock_t *ptr);

void upc_memcpy(shared void *restrict dst, shared const void *restrict src, size_t n);
void upc_memget(void *restrict dst, shared const void *restrict src, size_t n);
void upc_memput(shared void *restrict dst, const void *restrict src, size_t n);
void upc_memset(shared void *dst, int c, size_t n);

/* A turn for the data that other threads want of this one, for programs that wait for a flag in their own loop. It
   is not a function of UPC 1.3, but other compilers have it. */
void upc_poll(void);

/* Names of before UPC 1.1, for those who ask for them with -DUPC_OLD_NAMES. */
#ifdef UPC_OLD_NAMES
#define barrier upc_barrier
#define barrier_notify upc_notify
#define barrier_wait upc_wait
#define forall upc_forall
#define fence upc_fence
#endif

#endif
