package probe

import (
	"fmt"
	"strings"
)

// wrappers writes the wrapper of each function.
func wrappers(all []function) []byte {
	b := &strings.Builder{}
	b.WriteString("/* Wrappers of the functions of shmem.h. */\n#define _GNU_SOURCE\n#include <shmem.h>\n#include " +
		"<shmemx.h>\n#include \"sh.h\"\n\n" +
		"#undef shmem_p\n#undef shmem_g\n#undef shmem_put\n#undef shmem_get\n")
	for i := range all {
		write(b, &all[i])
	}
	return []byte(b.String())
}

// write writes one wrapper: what comes before the call of the library's function and after it.
func write(b *strings.Builder, f *function) {
	var declared, passed, types []string
	for i, p := range f.Params {
		name := fmt.Sprintf("a%d", i)
		declared = append(declared, p.Declare(name))
		passed = append(passed, name)
		types = append(types, p.Declare(""))
	}
	if len(declared) == 0 {
		declared, types = []string{"void"}, []string{"void"}
	}
	before, after, call := f.around()
	result, keep, enter := "", "", "sh_enter"
	if f.verb == "ptr" {
		enter = "sh_enter_aside"
	}
	if f.Return != "void" {
		result, keep = "\treturn r;\n", fmt.Sprintf("\t%s r;\n", f.Return)
	}
	if call == "" {
		call = fmt.Sprintf("real(%s);", strings.Join(passed, ", "))
		if f.Return != "void" {
			call = "r = " + call
		}
	}
	fmt.Fprintf(b, "#undef %[1]s\n__attribute__((visibility(\"default\")))\n%[2]s %[1]s(%[3]s)\n{\n\tstatic %[2]s "+
		"(*real)(%[4]s);\n\tstruct sh_call c;\n%[5]s"+
		"\tif (!real)\n\t\treal = sh_real(%[1]q);\n\t%[6]s(&c, %[1]q, __builtin_return_address(0));\n",
		f.Name, f.Return, strings.Join(declared, ", "), strings.Join(types, ", "), keep, enter)
	for _, part := range []string{before, call, after} {
		if part != "" {
			b.WriteString("\t" + strings.ReplaceAll(part, "\n", "\n\t") + "\n")
		}
	}
	fmt.Fprintf(b, "\tsh_leave(&c);\n%s}\n\n", result)
}

// array is an array of a call, as C writes a struct sh_array.
func (f *function) array(pointer, count, stride, argument string) string {
	bytes := fmt.Sprintf("sizeof *%s", pointer)
	switch {
	case f.bits > 0:
		bytes = fmt.Sprint(f.bits / 8)
	case strings.HasSuffix(f.verb, "mem"):
		bytes = "1"
	}
	return fmt.Sprintf("(struct sh_array){(const void *)%s, %s, %s, %s, %s}", pointer, count, bytes, stride, argument)
}

// around is what is done before and after the call of the library's function, and that call if it is not made as
// always.
func (f *function) around() (before, after, call string) {
	context := "0"
	if f.context {
		context = "x"
		before = "uint64_t x = sh_context(&c, a0, SHMEM_CTX_DEFAULT);\n"
	}
	if f.verb != "init" && f.verb != "init_thread" && f.verb != "start_pes" {
		before = "sh_needs(&c);\n" + before
	}
	nbi := "0"
	if f.nbi {
		nbi = "1"
	}
	a := f.at
	switch f.verb {
	case "p":
		before += fmt.Sprintf("sh_put(&c, %s, %s, (struct sh_array){.stride = 1, .bytes = 1}, %s, 0);", context,
			f.array(a(0), "1", "1", "UKS_ARG_TARGET"), a(2))
	case "g":
		from := f.array(a(0), "1", "1", "UKS_ARG_SOURCE")
		none := "(struct sh_array){.stride = 1, .bytes = 1}"
		before += fmt.Sprintf("sh_get_begins(&c, %s, %s, %s, %s, 0);", context, none, from, a(1))
		after = fmt.Sprintf("sh_get_ends(&c, %s, %s, %s);", none, from, a(1))
	case "put", "putmem", "get", "getmem":
		to, from := f.array(a(0), a(2), "1", "UKS_ARG_TARGET"), f.array(a(1), a(2), "1", "UKS_ARG_SOURCE")
		before, after = f.move(before, context, to, from, a(3), nbi)
	case "iput", "iget":
		to, from := f.array(a(0), a(4), a(2), "UKS_ARG_TARGET"), f.array(a(1), a(4), a(3), "UKS_ARG_SOURCE")
		before, after = f.move(before, context, to, from, a(5), nbi)
	case "wait", "wait_until", "test":
		return f.waits(before)
	case "fence":
		before += fmt.Sprintf("sh_order(&c, UKS_FENCE, %s);", context)
	case "quiet":
		after = fmt.Sprintf("sh_order(&c, UKS_QUIET, %s);", context)
	case "create": // shmem_ctx_create: its context is what it gives
		return "sh_needs(&c);", "if (r == 0)\n\tsh_context_made(&c, *a1, (a0 & SHMEM_CTX_PRIVATE) != 0, " +
			"(a0 & SHMEM_CTX_SERIALIZED) != 0);", ""
	case "destroy":
		return "sh_needs(&c);\nsh_context_ends(&c, a0, SHMEM_CTX_DEFAULT);", "", ""
	case "ptr":
		return before, "sh_maps(&c, a0, r, a1);", ""
	case "set_lock":
		return before + "sh_locking(&c, a0);", "sh_locked(&c, a0);", ""
	case "test_lock":
		return before, "if (r == 0)\n\tsh_locked(&c, a0);", ""
	case "clear_lock":
		return before + "sh_unlocks(&c, a0);", "", ""
	case "init":
		return "sh_initialises(&c, SHMEM_THREAD_SINGLE);", "sh_initialised(&c, SHMEM_THREAD_SINGLE);", ""
	case "start_pes":
		return "sh_initialises(&c, SHMEM_THREAD_SINGLE);", "sh_initialised(&c, SHMEM_THREAD_SINGLE);", ""
	case "init_thread":
		return "sh_initialises(&c, a0);", "if (r == 0)\n\tsh_initialised(&c, *a1);", ""
	case "finalize":
		before += "sh_finalises(&c);\nstruct sh_collective k;\nsh_enter_all(&c, &k, UKS_COLLECTIVE_FINALIZE, 0);"
		return before, "sh_leave_collective(&c, &k);\nsh_finalised(&c);", ""
	case "malloc", "calloc", "align", "realloc", "free":
		return f.heap(before)
	default:
		switch {
		case f.isAtomic():
			return f.atomic(before, context)
		case f.isCollective():
			return f.collective(before)
		}
	}
	return before, after, call
}

// move is a put or a get.
func (f *function) move(before, context, to, from, pe, nbi string) (string, string) {
	if strings.Contains(f.verb, "put") {
		return before + fmt.Sprintf("sh_put(&c, %s, %s, %s, %s, %s);", context, to, from, pe, nbi), ""
	}
	before += fmt.Sprintf("sh_get_begins(&c, %s, %s, %s, %s, %s);", context, to, from, pe, nbi)
	if nbi == "1" {
		return before, ""
	}
	return before, fmt.Sprintf("sh_get_ends(&c, %s, %s, %s);", to, from, pe)
}

// waits is a function that waits for a value of this PE's memory, or tests it. The former looks itself first, so that
// it is seen to wait.
func (f *function) waits(before string) (string, string, string) {
	compare, value := "a1", "a2"
	if f.verb == "wait" { // until it is another one
		compare, value = "SHMEM_CMP_NE", "a1"
	}
	word := f.array("a0", "1", "1", "UKS_ARG_IVAR")
	polls := 0
	if f.verb == "test" {
		polls = 1
	}
	before += fmt.Sprintf("int fits = sh_waits(&c, %s, %s, (uint64_t)%s, %d);", word, compare, value, polls)
	if f.verb == "test" {
		return before, fmt.Sprintf("if (fits && r)\n\tsh_sees(&c, %s);", word), ""
	}
	before += fmt.Sprintf("\nfor (unsigned long polls = 1; fits && c.recorded && sh_must_wait(polls); polls++)\n\tif "+
		"(%s)\n\t\tbreak;", condition("*a0", compare, value))
	return before, fmt.Sprintf("if (fits)\n\tsh_sees(&c, %s);", word), ""
}

// condition is what a wait is for, by its comparison, which the call may compute.
func condition(a, compare, b string) string {
	var all []string
	for _, c := range [...]struct{ name, operator string }{{"EQ", "=="}, {"NE", "!="}, {"GT", ">"}, {"LE", "<="},
		{"LT", "<"}, {"GE", ">="}} {
		all = append(all, fmt.Sprintf("(%s == SHMEM_CMP_%s && %s %s %s)", compare, c.name, a, c.operator, b))
	}
	return strings.Join(all, " || ")
}

func (f *function) isAtomic() bool {
	switch f.verb {
	case "swap", "set", "cswap", "fadd", "fetch", "finc", "add", "inc":
		return true
	}
	return strings.HasPrefix(f.verb, "atomic_")
}

// atomic is an atomic operation, whose last parameter is the PE.
func (f *function) atomic(before, context string) (string, string, string) {
	word := f.array(f.at(0), "1", "1", "UKS_ARG_TARGET")
	pe := f.at(f.count() - 1)
	fetches, writes := 0, 1
	if f.Return != "void" {
		fetches = 1
	}
	if f.verb == "fetch" || f.verb == "atomic_fetch" {
		writes = 0
	}
	real := 0
	if strings.Contains(f.Name, "_float_") || strings.Contains(f.Name, "_double_") {
		real = 1
	}
	before += fmt.Sprintf("int fits = sh_atomic(&c, %s, %s, %s, %d, %d, %d);", context, word, pe, fetches, writes, real)
	if fetches == 0 {
		return before + "\n(void)fits;", "", ""
	}
	return before, fmt.Sprintf("if (fits)\n\tsh_atomic_ends(&c, %s, %s, %d, %d);", word, pe, writes, real), ""
}

// heap is a function of the symmetric heap: all PEs call it, and leave it together (OpenSHMEM 1.4, 9.3.1).
func (f *function) heap(before string) (string, string, string) {
	size := map[string]string{"malloc": "a0", "calloc": "a0 * a1", "align": "a1", "realloc": "a1"}[f.verb]
	before += "struct sh_collective k = {0};\n"
	switch f.verb {
	case "free":
		return before + "int whole = a0 && sh_frees(&c, a0);\nif (whole)\n\tsh_enter_all(&c, &k, " +
				"UKS_COLLECTIVE_FREE, 0);",
			"sh_leave_collective(&c, &k);\nif (whole)\n\tsh_freed(&c, a0);", ""
	case "realloc":
		return before + "int whole = a0 && sh_frees(&c, a0);\nif (a0 || a1)\n\tsh_enter_all(&c, &k, " +
				"UKS_COLLECTIVE_ALLOCATE, a1);",
			"sh_leave_collective(&c, &k);\nif (whole && (r || !a1))\n\tsh_freed(&c, a0);\nsh_allocated(&c, r, a1);", ""
	}
	return before + fmt.Sprintf("if ((%s) > 0)\n\tsh_enter_all(&c, &k, UKS_COLLECTIVE_ALLOCATE, %[1]s);", size),
		fmt.Sprintf("sh_leave_collective(&c, &k);\nsh_allocated(&c, r, %s);", size), ""
}
