package catalogue

import "fmt"

// Passages are functions that the linker puts before those of the run-time of UPC, with --wrap, for all the program: they count collective operations
// that no wrapper and no statement tells of, so that all threads have the same numbers. They are sources of the checker's library, by file names,
// with what else only unknot's own run-time has; they come before sources of the same name.
func Passages() map[string]string {
	out := map[string]string{"upck_passing_statements.upc": passingStatements, "patience.upc": patience}
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
		if name != "upck_passing_statements.upc" && name != "patience.upc" {
			out[name] = text + "\n#endif\n"
		}
	}
	return out
}

// Passed are the functions that have one.
func Passed() []string {
	all := []string{"upcr_barrier_at", "upcr_notify_at", "upcr_wait_at"}
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
		text += "\tint outer = upck_passing();\n\t" + f.Result + " result = " + call + ";\n\tupck_passed(outer);\n\treturn result;\n"
	}
	return text + "}\n"
}

// patience is the file of that name for unknot's own run-time, which counts strict reads, and has a lock for the checks.
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
