/*
 * In the place of the checker's run-time: what the wrappers find is written to the file told.THREAD, one line each, and an error leaves the case. Nothing is
 * compared between threads.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>
#include "inner.h"
#include "standin.h"

struct standin_case standin_now;

const int upck_without = 0;

void upck_wrong(const struct upck_site *site, const char *id, int severity, int arg, const char *format, ...)
{
	static int told;
	if (++told > 10000) /* told again and again after coming back: the case is wrong, and must not hang */
		abort();
	char words[700], line[1000], file[40];
	va_list args;
	va_start(args, format);
	vsnprintf(words, sizeof words, format, args);
	va_end(args);
	int n = snprintf(line, sizeof line, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s\n", standin_now.bad ? "bad" : "good", standin_now.id, id,
	                 severity == UPCK_ERROR ? "error" : "warning", site->call, site->file, site->line, MYTHREAD,
	                 arg >= 0 && arg < site->nargs ? site->args[arg].text : "", words);
	snprintf(file, sizeof file, "told.%d", MYTHREAD);
	int out = open(file, O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (write(out, line, (size_t)n) != n)
		abort();
	close(out);
	if (severity == UPCK_ERROR && !standin_now.goes_on)
		longjmp(standin_now.back, 1);
}

/* Statements have no wrappers. */
static int statement(int op)
{
	return op == UPCK_OP_NOTIFY || op == UPCK_OP_WAIT || op == UPCK_OP_BARRIER || op == UPCK_OP_FORALL || op == UPCK_OP_END;
}

void upck_collective(const struct upck_site *site, int op, int sync, int n, const struct upck_value *values)
{
	for (int i = 0; i < n; i++)
		if (values[i].arg < 0 || values[i].arg >= site->nargs)
			abort();
	if (op <= 0 || statement(op) || sync < 0 || sync > 1)
		abort();
}

void upck_done(void)
{
}

int upck_suspicious(void)
{
	const char *value = getenv("UPCCHECK_SUSPICIOUS");
	return value && strcmp(value, "TRUE") == 0;
}

unsigned long upck_number(void)
{
	static unsigned long number;
	return ++number;
}

int upck_unchecked(void)
{
	return 0;
}

int upck_in_segment(const void *ptr, unsigned long *thread, unsigned long *address)
{
	(void)ptr;
	*thread = *address = 0;
	return -1;
}

int upck_heap(unsigned long address)
{
	(void)address;
	return 0;
}

void upck_touches(const struct upck_site *site, const struct upck_touch *touch, const struct upck_range *ranges, int n)
{
	if (!touch->phase || !touch->turn)
		abort();
	for (int i = 0; i < n; i++)
		if (ranges[i].from < 0 || ranges[i].from >= ranges[i].end)
			abort();
	(void)site;
}

void upck_untouched(unsigned long phase)
{
	if (!phase)
		abort();
}

static int depth;

int upck_forall_depth(void)
{
	return depth;
}

void upck_forall_left(int to)
{
	depth = to;
}

void upck_lock_made(shared void *lock, const struct upck_site *site, int collective)
{
	(void)lock, (void)site, (void)collective;
}

void upck_lock_freed(shared void *lock, const struct upck_site *site, int collective)
{
	(void)lock, (void)site, (void)collective;
}

int upck_locking(const struct upck_site *site, shared void *lock)
{
	(void)lock, (void)site;
	return 0;
}

void upck_attempting(const struct upck_site *site, shared void *lock)
{
	(void)lock, (void)site;
}

void upck_locked(const struct upck_site *site, shared void *lock, int got)
{
	(void)lock, (void)site, (void)got;
}

void upck_unlocking(const struct upck_site *site, shared void *lock)
{
	(void)lock, (void)site;
}

struct upck_value upck_int(int arg, long long v)
{
	return (struct upck_value){.arg = arg, .kind = UPCK_INT, .bits = {(unsigned long long)v}};
}

struct upck_value upck_unsigned(int arg, unsigned long long v)
{
	return (struct upck_value){.arg = arg, .kind = UPCK_UNSIGNED, .bits = {v}};
}

struct upck_value upck_shared(int arg, shared const void *p)
{
	return (struct upck_value){.arg = arg, .kind = UPCK_SHARED, .bits = {upc_threadof((shared void *)p), 0, upc_addrfield((shared void *)p)}};
}

struct upck_value upck_text(int arg, const char *text)
{
	return (struct upck_value){.arg = arg, .kind = UPCK_TEXT, .bits = {strlen(text)}};
}
