/*
 * Instrumentation by hand, for the tests of the run-time: each word is a statement or a call of UPC with what upc-check makes of it. With
 * PLAIN they are just that, for upc-check to instrument.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc_relaxed.h>
#include <upc_collective.h>

#ifdef PLAIN
#define BARRIER upc_barrier
#define BARRIER_V(e) upc_barrier e
#define NOTIFY upc_notify
#define NOTIFY_V(e) upc_notify e
#define WAIT upc_wait
#define WAIT_V(e) upc_wait e
#define LOCK(l) upc_lock(l)
#define UNLOCK(l) upc_unlock(l)
#define ATTEMPT(l) upc_lock_attempt(l)
#define BROADCAST(d, s, n, f) upc_all_broadcast(d, s, n, f)
#define GATHER(d, s, n, f) upc_all_gather(d, s, n, f)
#define EXIT exit(0)
#else
#include "upck.h"
#include "upck_ops.h"
#define ARGS_(...) static const struct upck_arg args_[] = {__VA_ARGS__}
#define SITE_(what, n) static const struct upck_site site_ = {what, __FILE__, __func__, __LINE__, n, n ? args_ : 0, 0, 0, 0}
#define BARRIER do { ARGS_({0, 0}); SITE_("upc_barrier", 0); upck_barrier(&site_, 0, 0); } while (0)
#define BARRIER_V(e) do { ARGS_({#e, 0}); SITE_("upc_barrier", 1); upck_barrier(&site_, 1, (e)); } while (0)
#define NOTIFY do { ARGS_({0, 0}); SITE_("upc_notify", 0); upck_notify(&site_, 0, 0); } while (0)
#define NOTIFY_V(e) do { ARGS_({#e, 0}); SITE_("upc_notify", 1); upck_notify(&site_, 1, (e)); } while (0)
#define WAIT do { ARGS_({0, 0}); SITE_("upc_wait", 0); upck_wait(&site_, 0, 0); } while (0)
#define WAIT_V(e) do { ARGS_({#e, 0}); SITE_("upc_wait", 1); upck_wait(&site_, 1, (e)); } while (0)
#define LOCK(l) do { ARGS_({#l, 0}); SITE_("upc_lock", 1); wrapped_lock(&site_, (l)); } while (0)
#define UNLOCK(l) do { ARGS_({#l, 0}); SITE_("upc_unlock", 1); upck_unlocking(&site_, (l)); upc_unlock(l); } while (0)
#define ATTEMPT(l) __extension__({ ARGS_({#l, 0}); SITE_("upc_lock_attempt", 1); wrapped_attempt(&site_, (l)); })
#define EXIT do { ARGS_({0, 0}); SITE_("exit", 0); upck_exit(&site_, 0); } while (0)
#define MOVE_(f, op, d, s, n, flags) do { ARGS_({#d, 0}, {#s, 0}, {#n, "n is declared at " __FILE__ ":1"}, {#flags, 0}); SITE_(#f, 4); \
	wrapped_move(&site_, UPCK_OP_ ## op, f, (d), (s), (n), (flags)); } while (0)
#define BROADCAST(d, s, n, flags) MOVE_(upc_all_broadcast, broadcast, d, s, n, flags)
#define GATHER(d, s, n, flags) MOVE_(upc_all_gather, gather, d, s, n, flags)

static inline void wrapped_lock(const struct upck_site *site, upc_lock_t *lock)
{
	if (!upck_locking(site, lock))
		upc_lock(lock);
	upck_locked(site, lock, 1);
}

static inline int wrapped_attempt(const struct upck_site *site, upc_lock_t *lock)
{
	upck_attempting(site, lock);
	int got = upc_lock_attempt(lock);
	upck_locked(site, lock, got);
	return got;
}

static inline void wrapped_move(const struct upck_site *site, int op, void (*f)(shared void *, shared const void *, size_t, upc_flag_t),
                                shared void *dst, shared const void *src, size_t n, upc_flag_t flags)
{
	struct upck_value v[] = {upck_shared(0, dst), upck_shared(1, src), upck_unsigned(2, n), upck_int(3, flags)};
	if (n == 0)
		upck_wrong(site, "BCST-09", UPCK_ERROR, 2, "nbytes is 0, and must be positive");
	upck_collective(site, op, flags & UPC_IN_ALLSYNC || flags & UPC_OUT_ALLSYNC || !(flags & (UPC_IN_NOSYNC | UPC_IN_MYSYNC)), 4, v);
	f(dst, src, n, flags);
	upck_done();
}
#endif

extern upc_lock_t *l1, *l2, *l3;
extern shared [] char from[64];
extern shared [64] char to[64 * THREADS];
extern strict shared int flag, flag2;
enum { ALL = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC, NO = UPC_IN_NOSYNC | UPC_OUT_NOSYNC };
#define LAST (THREADS - 1)
/* Another thread has come so far. It sees that without any synchronisation that the checks know of. */
#define UNTIL(what) while (!(what)) usleep(1000)
