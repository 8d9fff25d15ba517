/*
 * Locks (UPC 1.3, 7.2.4) as queues (Mellor-Crummey and Scott, TOCS 1991): a thread waits on a word of its own until the one
 * before it hands the lock over, so that locks are given in the order in which they were asked for. Other files of the
 * run-time use the same locks. Null strict accesses are implied at the end of locking and at the start of unlocking.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt.h"

enum { WAITING, GRANTED, ASLEEP }; /* struct upcr_queued.granted */
enum { RESERVED = 8 };             /* places that only the run-time's own locks take, since the heap needs them */
enum { LOOKS = 1000 };

#define FIELD(p, type, field) ((p) + offsetof(type, field))

static upcr_ptr queued_place(unsigned i)
{
	return UPCR_CONTROL(upcr_thread, queued) + i * sizeof(struct upcr_queued);
}

/* A place in a queue. inner says that the lock is one of the run-time's. */
static upcr_ptr take_place(int inner)
{
	for (unsigned i = inner ? 0 : RESERVED; i < UPCR_QUEUED; i++)
		if (!upcr_self->queued[i].in_use) {
			upcr_self->queued[i].in_use = 1;
			return queued_place(i);
		}
	return upcr_alloc_own(sizeof(struct upcr_queued), "upc_lock");
}

static void give_place(upcr_ptr place)
{
	if (upcr_offset(place) < upcr_heap_low)
		((struct upcr_queued *)upcr_own(place))->in_use = 0;
	else
		upcr_free_block(place, "upc_unlock");
}

static void wait_near(struct upcr_queued *me)
{
	for (int i = 0; upcr_cores >= upcr_node_count && i < LOOKS; i++)
		if (atomic_load_explicit(&me->granted, memory_order_acquire) == GRANTED)
			return;
	uint64_t waiting = WAITING;
	if (!atomic_compare_exchange_strong(&me->granted, &waiting, ASLEEP))
		return;
	while (atomic_load(&me->granted) == ASLEEP)
		syscall(SYS_futex, &me->granted, FUTEX_WAIT, ASLEEP, NULL, NULL, 0);
}

static void wait_far(struct upcr_queued *me)
{
	unsigned step = 0;
	while (atomic_load(&me->granted) != GRANTED)
		upcr_pause(&step);
}

static void hand_to(upcr_ptr next)
{
	if (upcr_word_swap(FIELD(next, struct upcr_queued, granted), GRANTED) == ASLEEP && upcr_one_node)
		syscall(SYS_futex, upcr_at(FIELD(next, struct upcr_queued, granted)), FUTEX_WAKE, 1, NULL, NULL, 0);
}

static upcr_ptr ready_place(int inner)
{
	upcr_ptr place = take_place(inner);
	upcr_word_store(FIELD(place, struct upcr_queued, next), 0);
	upcr_word_store(FIELD(place, struct upcr_queued, granted), WAITING);
	return place;
}

static int is_inner(upcr_ptr lock)
{
	return upcr_offset(lock) < UPCR_STATIC_OFFSET;
}

void upcr_acquire(upcr_ptr lock)
{
	upcr_ptr place = ready_place(is_inner(lock));
	upcr_ptr before = upcr_word_swap(FIELD(lock, struct upcr_lock, tail), place);
	if (before) {
		upcr_word_store(FIELD(before, struct upcr_queued, next), place);
		if (upcr_one_node)
			wait_near(upcr_own(place));
		else
			wait_far(upcr_own(place));
	}
	upcr_word_store(FIELD(lock, struct upcr_lock, holder), place);
	upcr_before_read();
}

int upcr_try(upcr_ptr lock)
{
	if (upcr_word_load(FIELD(lock, struct upcr_lock, tail)))
		return 0;
	upcr_ptr place = ready_place(is_inner(lock));
	if (upcr_word_cas(FIELD(lock, struct upcr_lock, tail), 0, place)) {
		give_place(place);
		return 0;
	}
	upcr_word_store(FIELD(lock, struct upcr_lock, holder), place);
	upcr_before_read();
	return 1;
}

void upcr_release(upcr_ptr lock)
{
	upcr_before_write();
	upcr_ptr place = upcr_word_load(FIELD(lock, struct upcr_lock, holder));
	upcr_ptr next_word = FIELD(place, struct upcr_queued, next);
	upcr_word_store(FIELD(lock, struct upcr_lock, holder), 0);
	upcr_ptr next = upcr_word_load(next_word);
	if (!next && upcr_word_cas(FIELD(lock, struct upcr_lock, tail), place, 0) != place)
		for (unsigned step = 0; !(next = upcr_word_load(next_word));)
			upcr_pause(&step);
	give_place(place);
	if (next)
		hand_to(next);
}
