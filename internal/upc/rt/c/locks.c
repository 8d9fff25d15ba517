/*
 * The lock functions of upc.h (UPC 1.3, 7.2.4). A lock is an object with a separate cache line on the thread that asked
 * for it.
 */
#include <string.h>

#include "rt.h"

typedef upcr_ptr upc_lock_ptr;
upc_lock_ptr upc_global_lock_alloc(void);
upc_lock_ptr upc_all_lock_alloc(void);
void upc_lock_free(upc_lock_ptr lock);
void upc_all_lock_free(upc_lock_ptr lock);
void upc_lock(upc_lock_ptr lock);
int upc_lock_attempt(upc_lock_ptr lock);
void upc_unlock(upc_lock_ptr lock);
upc_lock_ptr upcr_gate(void);

/* One for the checks, which is where a program does not reach. */
upc_lock_ptr upcr_gate(void)
{
    return UPCR_CONTROL(0, gate);
}

static upc_lock_ptr new_lock(const char *function)
{
    upcr_ptr lock = upcr_alloc_own(sizeof(struct upcr_lock), function);
    upcr_word_store(lock + offsetof(struct upcr_lock, tail), 0);
    return lock;
}

upc_lock_ptr upc_global_lock_alloc(void)
{
    upcr_ptr lock = new_lock("upc_global_lock_alloc");
    upcr_record_alloc(lock, sizeof(struct upcr_lock), 0);
    return lock;
}

upc_lock_ptr upc_all_lock_alloc(void)
{
    upcr_ptr lock = upcr_tell(upcr_thread == 0 ? new_lock("upc_all_lock_alloc") : 0);
    upcr_record_alloc(lock, sizeof(struct upcr_lock), 0);
    return lock;
}

void upc_lock_free(upc_lock_ptr lock)
{
    if (UPCR_IS_NULL(lock))
        return;
    upcr_record_free(lock);
    upcr_forget(lock);
    upcr_free_block(lock, "upc_lock_free");
}

/* As upc_all_free. */
void upc_all_lock_free(upc_lock_ptr lock)
{
    upcr_record_enter(0, 1, 0);
    upcr_barrier_inner();
    if (upcr_thread == 0) {
        upcr_record_leave();
        upc_lock_free(lock);
    }
}

static void check_lock(upc_lock_ptr lock, const char *function)
{
    if (UPCR_IS_NULL(lock))
        upcr_fail("thread %d calls %s with a null pointer; hint: the lock comes from upc_all_lock_alloc or "
                  "upc_global_lock_alloc",
                  upcr_thread, function);
}

void upc_lock(upc_lock_ptr lock)
{
    check_lock(lock, "upc_lock");
    if (upcr_holds(lock))
        upcr_fail("thread %d calls upc_lock for a lock that it holds already, and would wait forever; hint: upc_unlock "
                  "comes first",
                  upcr_thread);
    upcr_acquire(lock);
    upcr_record_lock(lock);
}

int upc_lock_attempt(upc_lock_ptr lock)
{
    check_lock(lock, "upc_lock_attempt");
    if (upcr_try(lock)) {
        upcr_record_lock(lock);
        return 1;
    }
    if (--upcr_patience < 0)
        upcr_relax();
    return 0;
}

void upc_unlock(upc_lock_ptr lock)
{
    check_lock(lock, "upc_unlock");
    if (!upcr_holds(lock))
        upcr_fail(
            "thread %d calls upc_unlock for a lock that it does not hold; hint: the thread that locked it unlocks it",
            upcr_thread);
    upcr_record_unlock(lock);
    upcr_release(lock);
}
