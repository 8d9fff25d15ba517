package catalogue

import (
	"fmt"
	"strings"
)

const (
	collectiveHeader  = "upc_collective.h"
	collectiveFeature = "__UPC_COLLECTIVE__"
	flagsSync         = "UPCK_SYNC(flags)"
)

// extent is how many bytes a function takes from or puts to an array: on one thread or on each.
type extent struct{ each, times bool }

func (e extent) bytes() string {
	if e.times {
		return "nbytes * THREADS"
	}
	return "nbytes"
}

func (e extent) predicate(argument string) string {
	kind := "one"
	if e.each {
		kind = "each"
	}
	return fmt.Sprintf("upck_sane && upck_leaves_%s(site, $I, %s, %s)", kind, argument, e.bytes())
}

func (e extent) words(does string) string {
	where := "on one thread"
	if e.each {
		where = "on every thread"
	}
	return fmt.Sprintf("the %s bytes %s that the operation %s", e.bytes(), where, does)
}

// collectives are those of UPC 1.3, required libraries, 7.3.
func collectives() []*Function {
	var out []*Function
	one, each, oneTimes, eachTimes := extent{}, extent{each: true}, extent{times: true}, extent{each: true, times: true}
	for _, m := range []struct {
		prefix, name string
		dst, src     extent
	}{
		{"BCST", "upc_all_broadcast", each, one},
		{"SCAT", "upc_all_scatter", each, oneTimes},
		{"GATH", "upc_all_gather", oneTimes, each},
		{"GALA", "upc_all_gather_all", eachTimes, each},
		{"EXCH", "upc_all_exchange", eachTimes, eachTimes},
		{"PERM", "upc_all_permute", each, each},
	} {
		perm := m.prefix == "PERM"
		extra, single := "", []string{"dst", "src", "nbytes", "flags"}
		if perm {
			extra, single = "shared const int *restrict perm, ", []string{"dst", "src", "perm", "nbytes", "flags"}
		}
		f := function(m.prefix, collectiveHeader, collectiveFeature,
			fmt.Sprintf("void %s(shared void *restrict dst, shared const void *restrict src, %ssize_t nbytes, "+
				"upc_flag_t flags)", m.name, extra))
		f.before = []string{"int upck_sane = nbytes != 0 && !UPCK_HUGE(nbytes) && !UPCK_OVERFLOWS(nbytes, " +
			"(size_t)THREADS * THREADS);"}
		f.collective(flagsSync, single...).zero("nbytes").huge("nbytes").flags()
		f.pointer("dst", m.dst.words("writes"), m.dst.predicate("dst"))
		f.pointer("src", m.src.words("reads"), m.src.predicate("src"))
		for _, a := range []struct {
			name string
			e    extent
		}{{"dst", m.dst}, {"src", m.src}} {
			if a.e.each {
				f.onThreadZero(a.name).noPhase(a.name)
			}
		}
		for _, a := range []struct {
			name string
			e    extent
		}{{"dst", m.dst}, {"src", m.src}} {
			if a.e.each {
				f.blockBytes(a.name, a.e.bytes())
			}
		}
		f.row("nbytes", Invalid, "nbytes times THREADS (or THREADS squared) is more than a size_t holds",
			tell("!UPCK_HUGE(nbytes) && UPCK_OVERFLOWS(nbytes, (size_t)THREADS * THREADS)",
				`"is %zu, and the bytes of all threads are more than a size_t holds", nbytes`, hintNegative))
		overlap := fmt.Sprintf("upck_overlap_each(dst, %s, src, %s)", m.dst.bytes(), m.src.bytes())
		f.row("dst,src", Invalid, "they overlap", tell("upck_sane && "+overlap, `"overlaps src"`, hintOverlap))
		if perm {
			f.permutation()
		}
		f.dataRaces()
		out = append(out, f)
	}
	for _, t := range reductionTypes {
		out = append(out, reduction(t, false))
	}
	for _, t := range reductionTypes {
		out = append(out, reduction(t, true))
	}
	return append(out, sort())
}

// permutation adds the rows of upc_all_permute's perm.
func (f *Function) permutation() {
	f.pointer("perm", "the THREADS ints", "upck_leaves_each(site, $I, perm, sizeof(int))").onThreadZero("perm")
	f.row("perm", Suspicious, "its phase is not 0, or its blocks are not of one int",
		asked(tell("perm != 0 && (upc_phaseof((shared void *)perm) != 0 || upck_other_block(site, $I, 1))",
			`"is taken for an array of blocks of one int"`, ""))).
		row("perm", Invalid, "this thread's element is below 0, or THREADS or more",
			ready(tell("usable && (target < 0 || target >= THREADS)",
				`"~[%d] is %d, and has to be 0 to %d", MYTHREAD, target, THREADS - 1`,
				"perm[i] is the thread that gets the data of thread i"))).
		row("perm", Invalid, "two threads have the same element",
			ready(tell("other >= 0", `"~[%d] and perm[%d] are both %d", other, MYTHREAD, target`,
				"perm has to name each thread once"))).
		row("perm,dst", Invalid, "perm overlaps dst",
			tell("upck_sane && upck_overlap_each(perm, sizeof(int), dst, nbytes)", `"overlaps dst"`, hintOverlap)).
		row("perm", Race, "another thread writes perm without order before the call", raced())
	// With IN_ALLSYNC, perm may be written until all threads have come. A barrier, and IN_NOSYNC after it, is the same.
	f.call = []string{
		"int usable = perm != 0 && upc_threadof((shared void *)perm) == 0;",
		"if ((flags & (UPC_IN_MYSYNC | UPC_IN_NOSYNC)) == 0) {",
		"	upc_barrier;",
		"	flags = (flags & ~UPCK_IN) | UPC_IN_NOSYNC;",
		"}",
		"int target = usable ? perm[MYTHREAD] : 0, other = upck_twice(usable ? perm : 0, target);",
	}
}

// reductionType is one of the eleven types of reductions: T, TYPE, and the kind in upck_shape.
type reductionType struct {
	suffix, name string
	floating     bool
}

var reductionTypes = []reductionType{
	{"C", "signed char", false}, {"UC", "unsigned char", false}, {"S", "signed short", false},
	{"US", "unsigned short", false}, {"I", "signed int", false},
	{"UI", "unsigned int", false}, {"L", "signed long", false}, {"UL", "unsigned long", false}, {"F", "float", true},
	{"D", "double", true}, {"LD", "long double", true},
}

// callsBack is what a function that a reduction calls is not to do.
const callsBack = "it calls collective operations or lock operations, or writes shared data"

func reduction(t reductionType, prefixes bool) *Function {
	name, prefix := "upc_all_reduce"+t.suffix, "RED"+t.suffix
	if prefixes {
		name, prefix = "upc_all_prefix_reduce"+t.suffix, "PRE"+t.suffix
	}
	f := function(prefix, collectiveHeader, collectiveFeature,
		fmt.Sprintf("void %s(shared void *restrict dst, shared const void *restrict src, upc_op_t op, size_t nelems, "+
			"size_t blk_size, %s (*func)(%[2]s, %[2]s), upc_flag_t flags)", name, t.name))
	f.file = "reduce_" + t.suffix // the run-time has much memory for each type
	size := fmt.Sprintf("sizeof(%s)", t.name)
	f.before = []string{
		"const upc_op_t known = UPC_ADD | UPC_MULT | UPC_AND | UPC_OR | UPC_XOR | UPC_LOGAND | UPC_LOGOR | UPC_MIN | " +
			"UPC_MAX | UPC_FUNC | UPC_NONCOMM_FUNC;",
		fmt.Sprintf("int upck_sane = nelems != 0 && !UPCK_HUGE(nelems) && !UPCK_OVERFLOWS(nelems, %s) && "+
			"!UPCK_HUGE(nelems * %[1]s) && blk_size <= UPC_MAX_BLOCK_SIZE;", size),
		"size_t phase = src != 0 && blk_size > 0 ? upc_phaseof((shared void *)src) : 0;",
	}
	f.collective(flagsSync, "dst", "src", "op", "nelems", "blk_size", "func", "flags")
	f.row("op", Invalid, "not exactly one operation of those that there are",
		tell("op == 0 || (op & ~known) != 0 || !UPCK_SINGLE(op)",
			`"is %#x, and has to be one of UPC_ADD, UPC_MULT, UPC_AND, UPC_OR, UPC_XOR, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX, UPC_FUNC, UPC_NONCOMM_FUNC", (unsigned)op`, "")).
		row("op,func", Invalid, "UPC_FUNC or UPC_NONCOMM_FUNC, and func is null",
			tell("(op == UPC_FUNC || op == UPC_NONCOMM_FUNC) && func == 0",
				`"is %s, and func is a null pointer", op == UPC_FUNC ? "UPC_FUNC" : "UPC_NONCOMM_FUNC"`,
				"pass the function that combines two elements")).
		row("op,func", Suspicious, "func is given, and op is a built-in operation",
			asked(tell("func != 0 && op != UPC_FUNC && op != UPC_NONCOMM_FUNC",
				`"is a built-in operation: func is not called"`, "op UPC_FUNC or UPC_NONCOMM_FUNC makes use of func"))).
		row("func", Suspicious, callsBack,
			check{where: Wrapper, hint: "let func do nothing but combine its two arguments: which thread calls it, " +
				"and how often, is not defined"}).
		zero("nelems").
		row("nelems", Invalid, "more than PTRDIFF_MAX, or more bytes than a size_t holds",
			tell(fmt.Sprintf("UPCK_HUGE(nelems) || UPCK_OVERFLOWS(nelems, %s)", size),
				`"is %zu, more than an array can have: a negative value was converted", nelems`, hintNegative)).
		row("blk_size", Invalid, "more than UPC_MAX_BLOCK_SIZE",
			tell("blk_size > UPC_MAX_BLOCK_SIZE",
				`"is %zu, and UPC_MAX_BLOCK_SIZE is %zu", blk_size, (size_t)UPC_MAX_BLOCK_SIZE`, hintNegative)).
		row("src", Invalid, "its phase is not below blk_size",
			tell("phase != 0 && phase >= blk_size", `"has the phase %zu, and blk_size is %zu", phase, blk_size`,
				"blk_size is the block size of src, in elements")).
		row("src", Suspicious, "blk_size is not the block size of its type",
			asked(reason("upck_other_block(site, $I, blk_size)", "blk_size is the block size of src, in elements"))).
		row("src", Suspicious, "its elements have another type",
			asked(reason(fmt.Sprintf("upck_other_type(site, $I, UPCK_%s, %s)", t.suffix, size),
				"call the function for the type of the elements"))).
		row("src", Invalid, "not aligned for the type", misaligned("src", t.name)).
		flags()
	f.call = []string{fmt.Sprintf("struct upck_operator outer = upck_calls_back(site, \"%s\", %d, op == UPC_FUNC || "+
		"op == UPC_NONCOMM_FUNC);", f.id("func", callsBack), f.param("func"))}
	f.then = []string{"upck_called_back(outer);"}
	elements := fmt.Sprintf("upck_sane && upck_leaves(site, $I, src, nelems, blk_size, %s, phase)", size)
	f.pointer("src", "the nelems elements", elements)
	if prefixes {
		f.pointer("dst", "the nelems elements",
			fmt.Sprintf("upck_sane && upck_leaves(site, $I, dst, nelems, blk_size, %s, phase)", size))
		f.row("dst,src", Invalid, "on different threads",
			tell("dst != 0 && src != 0 && upc_threadof(dst) != upc_threadof((shared void *)src)",
				`"is on thread %zu, and src on thread %zu", upc_threadof(dst), upc_threadof((shared void *)src)`,
				"dst and src have to begin at the same thread and phase")).
			row("dst,src", Invalid, "of different phases",
				tell("blk_size > 0 && dst != 0 && src != 0 && upc_phaseof(dst) != phase",
					`"has the phase %zu, and src has %zu", upc_phaseof(dst), phase`,
					"dst and src have to begin at the same thread and phase"))
	} else {
		f.pointer("dst", "the one element", fmt.Sprintf("upck_leaves_one(site, $I, dst, %s)", size))
	}
	f.row("dst", Suspicious, "its elements have another type",
		asked(reason(fmt.Sprintf("upck_other_type(site, $I, UPCK_%s, %s)", t.suffix, size),
			"call the function for the type of the elements"))).
		row("dst", Invalid, "not aligned for the type", misaligned("dst", t.name))
	written := size
	if prefixes {
		written = "nelems * " + size
	}
	f.row("dst,src", Invalid, "they overlap",
		tell(fmt.Sprintf("upck_sane && upck_overlap_elements(dst, %s, src, nelems, blk_size, %s)", written, size),
			`"overlaps the elements of src"`, hintOverlap))
	f.dataRaces()
	if t.floating {
		f.row("op", Invalid, "an operation on bits", tell("(op & (UPC_AND | UPC_OR | UPC_XOR)) != 0",
			fmt.Sprintf(`"is %%#x, an operation on bits, and the elements are of type %s", (unsigned)op`, t.name),
			"UPC_LOGAND and UPC_LOGOR work on floating types")).
			row("(data)", ImplDefined, "an operand is not a number",
				not("the result is what the implementation defines"))
	}
	return f
}

func misaligned(argument, typeName string) check {
	if strings.HasSuffix(typeName, "char") {
		return not("a character is always aligned")
	}
	return tell(fmt.Sprintf("upck_misaligned(%s, _Alignof(%s))", argument, typeName),
		fmt.Sprintf(`"is not aligned for elements of type %s"`, typeName),
		"pass a pointer to an object of that type")
}

// sort is upc_all_sort, which other compilers have as well.
func sort() *Function {
	f := function("SORT", collectiveHeader, collectiveFeature, "void upc_all_sort(shared void *A, size_t elem_size, "+
		"size_t nelems, size_t blk_size, int (*func)(shared void *, shared void *), upc_flag_t flags)")
	f.file, f.native = "sort", "UPCK_HAVE_upc_all_sort"
	f.before = []string{"int upck_sane = elem_size != 0 && !UPCK_HUGE(nelems) && !UPCK_OVERFLOWS(nelems, elem_size) " +
		"&& !UPCK_HUGE(nelems * elem_size) && blk_size <= UPC_MAX_BLOCK_SIZE;"}
	f.collective(flagsSync, "A", "elem_size", "nelems", "blk_size", "func", "flags").zero("elem_size").
		row("nelems", Invalid, "0, or too many",
			tell("nelems == 0 || UPCK_HUGE(nelems) || UPCK_OVERFLOWS(nelems, elem_size)",
				`"is %zu, and has to be positive, and not more than an array can have", nelems`, "")).
		row("func", Invalid, "null", tell("func == 0", `"is a null pointer"`,
			"pass the function that compares two elements")).
		flags().pointer("A", "the nelems elements",
		"upck_sane && upck_leaves(site, $I, A, nelems, blk_size, elem_size, blk_size ? upc_phaseof(A) : 0)")
	return f
}
