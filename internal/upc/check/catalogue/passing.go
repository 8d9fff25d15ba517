package catalogue

import (
	"fmt"
	"maps"
	"slices"
)

// Passages are functions that the linker puts before those of the run-time of UPC, with --wrap, for all the program:
// they count collective operations that no wrapper and no statement tells of, so that all threads have the same
// numbers. They are sources of the checker's library, by file names, with what else only unknot's own run-time has;
// they come before sources of the same name.
func Passages() map[string]string {
	out := map[string]string{"upck_passing_statements.upc": passingStatements, "patience.upc": patience,
		"upck_passing_pthread_create.upc": acting("pthread_create", "<pthread.h>", "int",
			"pthread_t *a, const pthread_attr_t *b, void *(*c)(void *), void *d", "a, b, c, d"),
		"upck_passing_sigaction.upc": acting("sigaction", "<signal.h>", "int",
			"int a, const struct sigaction *b, struct sigaction *c", "a, b, c"),
		"upck_passing_signal.upc": acting("signal", "<signal.h>", "handler", "int a, handler b", "a, b"),
		"upck_passing_atexit.upc": acting("atexit", "<stdlib.h>", "int", "void (*a)(void)", "a")}
	own := slices.Collect(maps.Keys(out))
	for _, f := range Functions() {
		if !f.passes() {
			continue
		}
		name := "upck_passing_" + f.module() + ".upc"
		if out[name] == "" {
			out[name] = f.head()
		}
		out[name] += f.passage()
	}
	for name, text := range out {
		if !slices.Contains(own, name) {
			out[name] = text + "\n#endif\n"
		}
	}
	return out
}

// Passed are the functions that have one.
func Passed() []string {
	all := []string{"upcr_barrier_at", "upcr_notify_at", "upcr_wait_at", "pthread_create", "sigaction",
		"signal", "atexit"}
	for _, f := range Functions() {
		if f.passes() {
			all = append(all, f.Name)
		}
	}
	return all
}

func (f *Function) passes() bool {
	return f.Wrapped() && (f.Collective || f.Name == "upc_unlock" || f.Name == "upc_lock_free")
}

// passage is __wrap_NAME.
func (f *Function) passage() string {
	call := f.callOf("__real_")
	text := fmt.Sprintf("\n%s;\n%s;\n%[2]s\n{\n", f.prototype("__real_"), f.prototype("__wrap_"))
	if f.Name == "upc_all_lock_free" {
		text += "\tupck_released((shared void *)ptr);\n"
	}
	switch {
	case f.Name == "upc_lock_free":
		text += "\tupck_lock_gone((shared void *)ptr);\n\t" + call + ";\n"
	case !f.Collective:
		text += "\tupck_released((shared void *)ptr);\n\t" + call + ";\n"
	case f.Result == "void":
		text += "\tint outer = upck_passing();\n\t" + call + ";\n\tupck_passed(outer);\n"
	default:
		text += "\tint outer = upck_passing();\n\t" + f.Result + " result = " + call +
			";\n\tupck_passed(outer);\n\treturn result;\n"
	}
	return text + "}\n"
}

// acting is __wrap_NAME for a function by which the program has something act that is no UPC thread.
func acting(name, header, result, params, args string) string {
	return fmt.Sprintf(`%[1]s#define _GNU_SOURCE
#include %[3]s
#include "inner.h"

typedef void (*handler)(int);

%[4]s __real_%[2]s(%[5]s);
%[4]s __wrap_%[2]s(%[5]s);
%[4]s __wrap_%[2]s(%[5]s)
{
	upck_something_acts();
	return __real_%[2]s(%[6]s);
}
`, generated, name, header, result, params, args)
}

// patience is the file of that name for unknot's own run-time, which counts strict reads, and has a lock for the
// checks.
const patience = generated + `#include "inner.h"

enum { MOST = 1 << 30 };

extern int upcr_patience;

int upck_patience(void)
{
	int kept = upcr_patience;
	upcr_patience = MOST;
	return kept;
}

void upck_give_patience(int kept)
{
	upcr_patience = kept;
}

int upck_knows_what_acts(void)
{
	return 1;
}

extern unsigned long upcr_heap_low, upcr_heap_high;

int upck_heap(unsigned long address)
{
	return address >= upcr_heap_low && address < upcr_heap_high;
}

extern char *const upcr_node;

/* Every thread of the node has its part of the addresses, of as many bytes as addresses of pointers-to-shared have. */
int upck_in_segment(const void *ptr, unsigned long *thread, unsigned long *address)
{
	enum { bits = 34 }; /* UPCR_OFFSET_BITS */
	unsigned long at = (unsigned long)ptr - (unsigned long)upcr_node;
	*thread = at >> bits;
	*address = at & ((1UL << bits) - 1);
	return *thread < (unsigned long)THREADS;
}

upc_lock_t *upcr_gate(void);

upc_lock_t *upck_gate_lock(void)
{
	return upcr_gate();
}
`

// The statements are these functions of the run-time.
const passingStatements = generated + `#include "upck.h"

void __real_upcr_barrier_at(int has, int value, const char *file, int line);
void __wrap_upcr_barrier_at(int has, int value, const char *file, int line);
void __wrap_upcr_barrier_at(int has, int value, const char *file, int line)
{
	int outer = upck_passing();
	__real_upcr_barrier_at(has, value, file, line);
	upck_passed(outer);
}

void __real_upcr_notify_at(int has, int value, const char *file, int line);
void __wrap_upcr_notify_at(int has, int value, const char *file, int line);
void __wrap_upcr_notify_at(int has, int value, const char *file, int line)
{
	int outer = upck_passing();
	__real_upcr_notify_at(has, value, file, line);
	upck_passed(outer);
	if (!outer)
		upck_passed_notify();
}

void __real_upcr_wait_at(int has, int value, const char *file, int line);
void __wrap_upcr_wait_at(int has, int value, const char *file, int line);
void __wrap_upcr_wait_at(int has, int value, const char *file, int line)
{
	__real_upcr_wait_at(has, value, file, line);
	upck_passed_wait();
}
`
