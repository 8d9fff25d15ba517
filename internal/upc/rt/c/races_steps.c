/*
 * Steps of synchronisation, for the detection of data races (races.c): strict accesses, tasks, collective functions,
 * atomic operations, barriers, locks, and memory that comes and goes.
 *
 * The reader has to follow them in an order in which they can have happened. Steps that others may see take a ticket
 * before they are made: strict writes, the release of a lock, the return of memory. Steps that see others note how many
 * tickets had been given out when they were made.
 */
#include <string.h>

#include "races.h"

uint64_t upcr_record_running;

static uint64_t barriers;
static uint64_t tasks;       /* how many there were */
static uint64_t collectives; /* calls of collective functions */
static uint64_t lasting;     /* a task of collective functions that go on after they have returned, or 0 */
/* The thread whose entry a collective function waits for, UPCR_EVERYBODY, or -1 for nobody. */
static int sources;
/* What a collective function does to all threads' memory is recorded, not what it does to mine. */
static int everybody;

static uint64_t take_ticket(void)
{
    return upcr_word_add(UPCR_CONTROL(0, tickets), 1) + 1;
}

static uint64_t tickets_taken(void)
{
    return upcr_word_load(UPCR_CONTROL(0, tickets));
}

/* What a strict access read or wrote, as far as a word has room. */
static uint64_t word_of(const void *value, unsigned long bytes)
{
    uint64_t word = 0;
    if (bytes <= sizeof word)
        memcpy(&word, value, bytes);
    return word;
}

/* A thread that spins reads the same again and again. As long as nobody takes a ticket, that is no news; a thread
   that has a ticket may still have to write, which the value shows. */
static upcr_ptr last_read;
static uint64_t last_ticket, last_value, last_position;

static void strict(struct upcr_site *site, upcr_ptr p, const void *value, unsigned long bytes, int write)
{
    if (upcr_meeting) {
        upcr_meet_at(upcr_record_site(site), p, bytes);
        return;
    }
    uint64_t ticket = write ? 0 : tickets_taken();
    uint64_t word = word_of(value, bytes);
    if (!write && upcr_record_position() == last_position && last_ticket == ticket && last_value == word &&
        bytes <= sizeof word && UPCR_EQUAL(p, last_read))
        return;
    upcr_record_spans();
    if (write)
        ticket = take_ticket();
    upcr_record_put(&(struct upcr_record){.kind = write ? UPCR_RECORD_STRICT_WRITE : UPCR_RECORD_STRICT_READ,
                                          .owner = (unsigned short)upcr_threadof(p),
                                          .site = upcr_record_site(site),
                                          .offset = upcr_offset(p),
                                          .size = (unsigned)bytes,
                                          .count = 1,
                                          .ticket = ticket,
                                          .value = word});
    last_value = word;
    last_read = write ? 0 : p;
    last_ticket = ticket;
    last_position = upcr_record_position();
}

void upcr_record_strict(struct upcr_site *site, upcr_ptr p, const void *value, unsigned long bytes, int write)
{
    upcr_record_take();
    strict(site, p, value, bytes, write);
    upcr_record_drop();
}

static void step(int kind, upcr_ptr p, unsigned long bytes, uint64_t ticket, int flags)
{
    upcr_record_put(&(struct upcr_record){.kind = (unsigned char)kind,
                                          .flags = (unsigned char)flags,
                                          .owner = (unsigned short)upcr_threadof(p),
                                          .site = upcr_record_site(upcr_caller),
                                          .offset = upcr_offset(p),
                                          .count = bytes,
                                          .ticket = ticket});
}

/* ---- Tasks: what runs beside the thread. ---- */

static uint64_t begin_task(void)
{
    upcr_record_spans();
    upcr_record_put(
        &(struct upcr_record){.kind = UPCR_RECORD_BEGIN, .site = upcr_record_site(upcr_caller), .value = ++tasks});
    return tasks;
}

uint64_t upcr_record_task(void)
{
    return upcr_recording ? upcr_record_running = begin_task() : 0;
}

void upcr_record_task_begun(void)
{
    upcr_record_running = 0;
}

void upcr_record_join(uint64_t which)
{
    if (!upcr_recording || !which)
        return;
    upcr_record_spans();
    upcr_record_put(
        &(struct upcr_record){.kind = UPCR_RECORD_JOIN, .site = upcr_record_site(upcr_caller), .value = which});
}

/* ---- Collective functions (UPC 1.3, 7.6.1). ----
 *
 * A thread records what is done to its own memory, from its entry on, which is what MYSYNC and ALLSYNC allow. With
 * NOSYNC the function may touch a thread's memory as soon as any thread has entered, and until the last has left; so
 * each thread records what is done to all threads' memory. What may go on after the function has returned is a task
 * that lasts until the thread's next barrier. Accesses of one call do not conflict.
 *
 * With MYSYNC a thread that returns has what it was to get, so those who give it have entered. If only the end has
 * NOSYNC, a thread records what is done to its own memory as well: nobody touches that before it has entered, and what
 * others do to it ends before their next barrier. That they may still do it between the thread's notify and its wait is
 * not recorded.
 */

static void end_lasting(void)
{
    upcr_record_join(lasting);
    lasting = 0;
}

void upcr_record_enter(int in_nosync, int in_mysync, int out_nosync)
{
    if (!upcr_recording)
        return;
    upcr_record_spans();
    collectives++;
    everybody = in_nosync || (out_nosync && !in_mysync);
    sources = in_mysync && !out_nosync ? UPCR_EVERYBODY : -1;
    if (in_mysync)
        upcr_record_put(&(struct upcr_record){.kind = UPCR_RECORD_ENTER, .offset = collectives});
    if (out_nosync && !lasting)
        lasting = begin_task();
    upcr_record_running = out_nosync ? lasting : 0;
}

void upcr_record_source(int thread)
{
    if (sources >= 0)
        sources = thread;
}

void upcr_record_leave(void)
{
    upcr_record_running = 0;
    if (upcr_recording && sources >= 0)
        upcr_record_put(
            &(struct upcr_record){.kind = UPCR_RECORD_LEAVE, .owner = (unsigned short)sources, .offset = collectives});
}

static void part(int kind, upcr_ptr p, unsigned long bytes)
{
    if (upcr_recording && bytes && (everybody || upcr_threadof(p) == (unsigned long)upcr_thread))
        upcr_record_transfer(kind, p, bytes, UPCR_RECORDED_OP, collectives);
}

void upcr_record_gives(upcr_ptr p, unsigned long bytes)
{
    part(UPCR_RECORD_READ, p, bytes);
}

void upcr_record_gets(upcr_ptr p, unsigned long bytes)
{
    part(UPCR_RECORD_WRITE, p, bytes);
}

/* ---- Atomic operations. ---- */

void upcr_record_atomic(upcr_ptr domain, upcr_ptr p, unsigned long bytes, int write)
{
    if (upcr_recording)
        upcr_record_transfer(write ? UPCR_RECORD_WRITE : UPCR_RECORD_READ, p, bytes,
                             UPCR_RECORDED_OP | UPCR_RECORDED_ATOMIC, domain);
}

void upcr_record_atomic_shows(upcr_ptr p)
{
    if (!upcr_recording)
        return;
    upcr_record_spans();
    step(UPCR_RECORD_SHOW, p, 0, take_ticket(), 0);
}

void upcr_record_atomic_sees(upcr_ptr p)
{
    if (upcr_recording)
        step(UPCR_RECORD_SEE, p, 0, tickets_taken(), 0);
}

/* ---- Barriers, locks, memory. ---- */

void upcr_record_notify(void)
{
    if (!upcr_recording)
        return;
    end_lasting();
    upcr_record_spans();
    step(UPCR_RECORD_NOTIFY, barriers, 0, 0, 0);
}

void upcr_record_wait(void)
{
    if (!upcr_recording)
        return;
    upcr_record_spans();
    step(UPCR_RECORD_WAIT, barriers++, 0, 0, 0);
}

/* The lock of the checks, by which threads report one after the other, orders nothing that the program does. */
static int is_gate(upcr_ptr lock)
{
    return UPCR_EQUAL(lock, UPCR_CONTROL(0, gate));
}

void upcr_record_lock(upcr_ptr lock)
{
    if (!upcr_recording || is_gate(lock))
        return;
    upcr_record_spans();
    step(UPCR_RECORD_LOCK, lock, 0, tickets_taken(), 0);
    upcr_sample_locked();
}

void upcr_record_unlock(upcr_ptr lock)
{
    if (!upcr_recording || is_gate(lock))
        return;
    upcr_record_spans();
    step(UPCR_RECORD_UNLOCK, lock, 0, take_ticket(), upcr_sample_unlocks() ? UPCR_RECORDED_PART : 0);
}

void upcr_record_alloc(upcr_ptr p, unsigned long bytes, int all)
{
    if (upcr_recording && !UPCR_IS_NULL(p))
        step(UPCR_RECORD_ALLOC, p, bytes, tickets_taken(), all ? UPCR_RECORDED_ALL : 0);
}

void upcr_record_free(upcr_ptr p)
{
    if (!upcr_recording || UPCR_IS_NULL(p))
        return;
    if (upcr_meeting) {
        upcr_meet_free(upcr_record_site(upcr_caller), p);
        return;
    }
    upcr_record_spans();
    step(UPCR_RECORD_FREE, p, 0, take_ticket(), 0);
}
