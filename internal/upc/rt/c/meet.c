/*
 * Two threads that race are made to meet (UPC-Thrille's second phase; layout has the words of the file). A thread that comes to one of the two sites with
 * the racing memory is held, for a bounded time and number of times, until another one comes to the other site. Then both are about to access it, and
 * nothing keeps them apart. One is let go first. It has made its access when it comes to its next one, or after a while; then the other one goes.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "rt.h"

enum {
	NAP = 50000,          /* nanoseconds */
	HELD = 4000,          /* naps for which a thread is held */
	MOST_HELD = 40,       /* and how often threads are, in all */
	FIRST = 400,          /* naps in which the first access is made */
	SPINS = 1000,         /* reads of the same by which a thread waits */
};

int upcr_meeting;
static _Atomic uint64_t *meet;
static enum { NOTHING, WENT_FIRST, WENT_SECOND } role;
static unsigned last_site;
static upcr_ptr last_place;
static unsigned long same;

static uint64_t word(int which)
{
	return atomic_load(&meet[which]);
}

static void set(int which, uint64_t value)
{
	atomic_store(&meet[which], value);
}

static int turn(uint64_t from, uint64_t to)
{
	return atomic_compare_exchange_strong(&meet[UPCR_MEET_STATE], &from, to);
}

static void nap(void)
{
	nanosleep(&(struct timespec){0, NAP}, NULL);
	upcr_relax();
}

void upcr_meet_prepare(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	void *at = mmap(NULL, UPCR_MEET_WORDS * sizeof *meet, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return;
	meet = at;
	upcr_meeting = word(UPCR_MEET_MARK) == UPCR_MEETS_MARK;
}

static uint64_t value_there(void)
{
	uint64_t v = 0;
	upcr_get(&v, upcr_make(word(UPCR_MEET_OWNER), 0, word(UPCR_MEET_PLACE)), word(UPCR_MEET_BYTES));
	return v;
}

void upcr_meet_step(void)
{
	if (role == WENT_FIRST)
		turn(UPCR_MEETS_DECIDED, UPCR_MEETS_FIRST);
	if (role == WENT_SECOND) {
		set(UPCR_MEET_AFTER, value_there());
		set(UPCR_MEET_STATE, UPCR_MEETS_BOTH);
	}
	role = NOTHING;
}

/* Who goes first is known: both come here. */
static void go(void)
{
	if (word(UPCR_MEET_AHEAD) == (uint64_t)upcr_thread + 1) {
		set(UPCR_MEET_BEFORE, value_there());
		role = WENT_FIRST;
		return;
	}
	for (int i = 0; i < FIRST && word(UPCR_MEET_STATE) == UPCR_MEETS_DECIDED; i++)
		nap();
	turn(UPCR_MEETS_DECIDED, UPCR_MEETS_FIRST);
	set(UPCR_MEET_BETWEEN, value_there());
	role = WENT_SECOND;
}

/* Another thread is held: this one, which is about to access memory from one offset to another, may be the one that it waits for. */
static int meets(int at_b, uint64_t from, uint64_t to)
{
	int one_site = word(UPCR_MEET_SITEA) == word(UPCR_MEET_SITEB);
	if (word(UPCR_MEET_WAITER) == (uint64_t)upcr_thread + 1 || (!one_site && word(UPCR_MEET_ATB) == (uint64_t)at_b) || from >= word(UPCR_MEET_TO) ||
	    to <= word(UPCR_MEET_FROM) || !turn(UPCR_MEETS_HELD, UPCR_MEETS_MET))
		return 0;
	uint64_t place = from > word(UPCR_MEET_FROM) ? from : word(UPCR_MEET_FROM), end = to < word(UPCR_MEET_TO) ? to : word(UPCR_MEET_TO);
	int mine = one_site ? word(UPCR_MEET_FIRST) == 1 : word(UPCR_MEET_FIRST) == (uint64_t)at_b;
	set(UPCR_MEET_OTHER, (uint64_t)upcr_thread + 1);
	set(UPCR_MEET_AHEAD, mine ? (uint64_t)upcr_thread + 1 : word(UPCR_MEET_WAITER));
	set(UPCR_MEET_PLACE, place);
	set(UPCR_MEET_BYTES, end - place < sizeof place ? end - place : sizeof place);
	set(UPCR_MEET_STATE, UPCR_MEETS_DECIDED);
	go();
	return 1;
}

static void hold(int at_b, uint64_t from, uint64_t to)
{
	if (word(UPCR_MEET_HELD) >= MOST_HELD || !turn(UPCR_MEETS_FREE, UPCR_MEETS_CLAIMED))
		return;
	atomic_fetch_add(&meet[UPCR_MEET_HELD], 1);
	set(UPCR_MEET_WAITER, (uint64_t)upcr_thread + 1);
	set(UPCR_MEET_FROM, from);
	set(UPCR_MEET_TO, to);
	set(UPCR_MEET_ATB, (uint64_t)at_b);
	set(UPCR_MEET_STATE, UPCR_MEETS_HELD);
	for (int i = 0; i < HELD && word(UPCR_MEET_STATE) == UPCR_MEETS_HELD; i++)
		nap();
	if (turn(UPCR_MEETS_HELD, UPCR_MEETS_FREE)) {
		atomic_fetch_add(&meet[UPCR_MEET_EXPIRED], 1);
		return;
	}
	while (word(UPCR_MEET_STATE) == UPCR_MEETS_MET)
		nap();
	go();
}

/* Notes a thread that reads the same again and again while another one is held. */
static void notice_spin(unsigned site, upcr_ptr p)
{
	same = site == last_site && UPCR_EQUAL(p, last_place) ? same + 1 : 0;
	last_site = site;
	last_place = p;
	if (same == 0 || same % SPINS != 0 || word(UPCR_MEET_STATE) != UPCR_MEETS_HELD)
		return;
	set(UPCR_MEET_SPINTHREAD, (uint64_t)upcr_thread + 1);
	set(UPCR_MEET_SPINSITE, site);
	set(UPCR_MEET_SPINOWNER, upcr_threadof(p));
	set(UPCR_MEET_SPINOFFSET, upcr_offset(p));
}

void upcr_meet_at(unsigned site, upcr_ptr p, unsigned long bytes)
{
	uint64_t from = upcr_offset(p), to = from + bytes;
	upcr_meet_step();
	notice_spin(site, p);
	int at_a = site == word(UPCR_MEET_SITEA), at_b = site == word(UPCR_MEET_SITEB);
	if ((!at_a && !at_b) || upcr_threadof(p) != word(UPCR_MEET_OWNER) || from >= word(UPCR_MEET_END) || to <= word(UPCR_MEET_START))
		return;
	atomic_fetch_add(&meet[at_a ? UPCR_MEET_REACHEDA : UPCR_MEET_REACHEDB], 1);
	if (word(UPCR_MEET_STATE) == UPCR_MEETS_HELD && meets(!at_a, from, to))
		return;
	hold(!at_a, from, to);
}
