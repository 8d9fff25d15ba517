package catalogue

// language has the rows that are about no function: the language at run time, races, and constraints.
func language() []*Function {
	fence := statement("FENC", "upc_fence")
	fence.row("(code)", Suspicious, "a race remains that the fence seems to be meant against", raced())

	accesses := statement("LANG", "(language)")
	row := func(argument string, class Class, when string, c check) { accesses.row(argument, class, when, c) }
	row("deref", Invalid, "through a null pointer", by(Runtime, "names the null pointer before the program dies of it"))
	row("deref", Invalid, "to a freed object",
		insertedIf("with --pointers", "free the object after its last use; set pointers to it to null then"))
	row("deref", Invalid, "past the end of the object",
		insertedIf("with --pointers", "allocate more, or look at how the pointer is computed"))
	row("deref", Invalid, "before the start of the object",
		insertedIf("with --pointers", "allocate more, or look at how the pointer is computed"))
	row("deref", Invalid, "through a pointer that was never set, or is wild",
		by(Runtime, "names an address outside of a thread's shared memory before the program dies of it"))
	row("deref", Invalid, "not aligned for the type",
		insertedIf("with --pointers", "cast only pointers to objects of that type, or copy the bytes with upc_memget"))
	row("index", Invalid, "a subscript of an inner dimension is too large",
		insertedIf("with --pointers", "compare the subscripts and the order of the dimensions with the declaration"))
	row("cast", Invalid, "to pointer-to-local, of what another thread has",
		inserted("test upc_threadof first, or transfer the data with upc_memget or upc_memput"))
	row("cast", Suspicious, "of a null pointer, which is then followed",
		insertedIf("with --pointers", "test the pointer first"))
	row("cast", Invalid, "of a generic pointer whose phase is too large for the type",
		inserted("cast to the type that the pointer had before it became generic, or reset its phase with "+
			"upc_resetphase"))
	row("cast", Suspicious, "between layouts: the phase becomes 0", not("it is legal, and usual"))
	row("cast", Invalid, "to pointer-to-local: used by another thread", inserted(hintOwnAddress))
	row("cast", Invalid, "to pointer-to-local: used after the object was freed",
		insertedIf("with --pointers", hintDead))
	row("cast", Invalid, "to pointer-to-local: followed beyond the thread's part",
		insertedIf("with --pointers", "use upc_localsizeof or the number of elements that the thread has; other "+
			"threads' elements need a pointer-to-shared"))
	row("arith", Invalid, "leaves the object by more than one past its end",
		insertedIf("with --pointers",
			"compute pointers within the object only, or up to the element after its last one"))
	row("arith", Suspicious, "on a null pointer", insertedIf("with --pointers", "test the pointer first"))
	row("arith", Invalid, "difference of pointers into different objects",
		inserted("subtract pointers into one array only"))
	row("arith", Invalid, "difference that is no integer",
		inserted("subtract pointers that were computed from the same one, by the same type"))
	row("compare", Invalid, "order of pointers without a difference",
		inserted("compare the order of pointers into one array only"))
	row("compare", Suspicious, "equality of pointers to different threads' objects", not("it is legal, and usual"))
	row("upc_lock_t", Invalid, "looked into", by(Compiler, "COMP-34"))
	row("THREADS", Invalid, "another number of threads than the program was compiled for",
		by(Runtime, "compares both at the start, and ends the program with both"))
	row("private", Suspicious, "the address of a private object is stored in shared memory",
		ifAsked(inserted(hintOwnAddress)))
	row("private", Invalid, "another thread's private address is followed", inserted(hintOwnAddress))
	row("read", Suspicious, "an allocated object is read before it is written",
		inserted("write the object first, and let all threads wait for that with upc_barrier"))
	row("write", Invalid, "to an object declared const",
		inserted("declare the object without const, or do not write to it"))

	races := statement("RACE", "(data race)")
	for _, r := range [...]struct {
		argument string
		class    Class
		when     string
	}{
		{"access", Race, "two writes"},
		{"access", Race, "a write and a read"},
		{"access", Race, "a write, and an access through the owner's pointer-to-local"},
		{"access", Race, "a write through the owner's pointer-to-local, and an access of another thread"},
		{"access", Race, "accesses of two threads after upc_cast"},
		{"bulk", Race, "a upc_mem function and an access"},
		{"bulk", Race, "two upc_mem functions"},
		{"bulk", Race, "data of a collective function and an access"},
		{"bulk", Race, "a buffer of a file operation and an access"},
		{"bulk", Race, "a transfer under way and an access of the same thread"},
		{"bulk", Race, "a transfer under way and an access of another thread"},
		{"split", Race, "an access between upc_notify and upc_wait, and one of another thread's phase before or after"},
		{"lock", Race, "both threads hold locks, and none in common"},
		{"strict", Suspicious, "a strict write and a relaxed access"},
		{"strict", Suspicious, "two strict accesses to what is no flag"},
		{"atomic", Race, "an atomic operation and a plain access"},
		{"atomic", Race, "atomic operations of two domains"},
		{"bitfield", Race, "neighbouring bit-fields"},
		{"forall", Race, "iterations of one upc_forall"},
		{"free", Race, "freeing and an access"},
		{"false", Suspicious, "different bytes of one word"},
		{"alias", Suspicious, "two ways to one object in one statement"},
	} {
		races.row(r.argument, r.class, r.when, reported(r.when))
	}

	constraints := statement("COMP", "(compile time)")
	for _, when := range constraintTexts {
		r := constraints.add("source", Invalid, when, by(Compiler, ""))
		r.By = r.ID
	}
	return []*Function{fence, accesses, races, constraints}
}

// reported says where a row of the detection of data races is reported: not where the accesses are strict, or to
// different bytes; those of one thread are compared where the source has them.
func reported(when string) check {
	switch when {
	case "two strict accesses to what is no flag":
		return by(NotYet, "a flag, a counter and a slot of a queue look alike")
	case "different bytes of one word":
		return by(NotYet,
			"accesses are compared by their bytes, and such writes do no harm with the run-time of unknot")
	case "two ways to one object in one statement":
		return inserted("make two statements of it")
	}
	return raced()
}

var constraintTexts = [...]string{
	"a shared object of automatic storage", "a shared result", "a shared parameter", "a shared function type",
	"a shared member", "a shared pointer as a member",
	"strict or relaxed without shared", "strict and relaxed together", "two block sizes", "a block size for void",
	"[*] in a pointer type", "[*] in a typedef",
	"a block size that is negative or no constant", "a block size above UPC_MAX_BLOCK_SIZE",
	"blocks without THREADS in the dimensions", "THREADS more than once in the dimensions",
	"THREADS not multiplied by a positive constant", "THREADS in an array without blocks",
	"THREADS or MYTHREAD changed", "a keyword declared or defined",
	"#pragma upc with other words or elsewhere", "upc_localsizeof and the like of what is not shared",
	"an operator between pointers to shared and to local",
	"an order of generic pointers", "arithmetic on generic pointers", "a pointer-to-local cast to a pointer-to-shared",
	"an integer cast to a pointer-to-shared",
	"a pointer-to-shared becomes a pointer-to-local without a cast", "pointers of different layouts without a cast",
	"a barrier's value that is no int",
	"an affinity that is neither an integer nor a pointer-to-shared", "a jump out of upc_forall, or into it",
	"an initialiser of a shared array", "an opaque type looked into",
	"a shared array of variable length", "_Atomic, _Thread_local or register with shared", "a shared compound literal",
	"a shared operand of asm",
	"a collective function in the body of upc_forall", "a collective function under a condition on MYTHREAD",
	"declarations of an object that differ between sources",
	"numbers of threads that differ between sources",
}
