package probe

import (
	"regexp"
	"strconv"
	"strings"

	"unknot/internal/observe/probe/gen"
)

// function is one that shmem.h declares, and what its name says of it.
type function struct {
	gen.Proto
	verb    string // what it is called without its types: "put", "iget", "atomic_add", "sum_to_all", "broadcast"
	context bool   // its first parameter is a context
	bits    int    // of an element, where the name says it; 0 where the type of the parameters does
	nbi     bool
}

var (
	named = regexp.MustCompile(
		`^shmemx?_(ctx_)?(?:(?:char|short|int|long|float|double|longlong|schar|uchar|ushort|uint|ulong|ulonglong|longdouble|u?int(?:8|16|32|64)|size|ptrdiff|complexf|complexd)_)?` +
			`(p|g|i?put|i?get|putmem|getmem|atomic_\w+|swap|set|cswap|fadd|fetch|finc|add|inc|wait|wait_until|test|\w+_to_all|broadcast|f?collect|alltoalls?|fence|quiet|create|destroy)(8|16|32|64|128)?(_nbi)?$`)
	others = regexp.MustCompile(
		`^(?:shmem_(malloc|calloc|align|realloc|free|barrier|barrier_all|sync|sync_all|set_lock|clear_lock|test_lock|ptr|init|init_thread|finalize)|shmemx_(malloc)_with_hint|sh(malloc|free|realloc)|shmem(align)|(start_pes))$`)
)

// functions are those that shmem.h declares and whose calls matter.
func functions(preprocessed []byte) (all []function) {
	for _, p := range gen.Declared(preprocessed) {
		if f, ok := classify(p); ok {
			all = append(all, f)
		}
	}
	return all
}

// classify says what a function does; ok is false if that is nothing that matters.
func classify(p gen.Proto) (f function, ok bool) {
	if m := others.FindStringSubmatch(p.Name); m != nil {
		return function{Proto: p, verb: strings.Join(m[1:], "")}, true
	}
	m := named.FindStringSubmatch(p.Name)
	if m == nil {
		return f, false
	}
	bits, _ := strconv.Atoi(m[3]) // there may be none
	return function{Proto: p, verb: m[2], context: m[1] != "", bits: bits, nbi: m[4] != ""}, true
}

// at is the name of the wrapper's parameter with this number, counted without a context.
func (f *function) at(n int) string {
	if f.context {
		n++
	}
	return "a" + strconv.Itoa(n)
}

// count is the number of parameters, without a context.
func (f *function) count() int {
	if f.context {
		return len(f.Params) - 1
	}
	return len(f.Params)
}
