package catalogue

import "fmt"

// statement is a row holder for what is no function of a library.
func statement(prefix, name string) *Function {
	return &Function{Name: name, prefix: prefix, Sync: "0"}
}

func (f *Function) takes(params ...string) *Function {
	for _, p := range params {
		f.Params = append(f.Params, Param{Type: "int %s", Name: p})
	}
	return f
}

// statements are those of UPC 1.3, 6.6, and the end of a thread.
func statements() []*Function {
	notify := statement("NTFY", "upc_notify").takes("value")
	notify.Collective = true
	notify.row("(call)", Order, "a second one without upc_wait between",
		protocol("complete each upc_notify by a upc_wait")).
		row("(call)", Order, "in the body of a controlling upc_forall", protocol("put it outside of the upc_forall")).
		row("(call)", Deadlock,
			"another thread has ended, or is at a collective operation that is no notify or barrier",
			protocol("let all threads execute the same sequence of collective operations")).
		row("value", Single, "differs from that of another thread in the same phase",
			protocol("give the same value on all threads, or none")).
		row("value", Portability, "cannot become an int", by(Compiler, "COMP-30")).
		row("(end)", Order, "the thread ends before its upc_wait", protocol("complete each upc_notify by a upc_wait"))

	wait := statement("WAIT", "upc_wait").takes("value")
	wait.Collective, wait.Sync = true, "1"
	wait.row("(call)", Order, "this thread has executed no upc_notify before", protocol("put upc_notify before it")).
		row("(call)", Order, "in the body of a controlling upc_forall", protocol("put it outside of the upc_forall")).
		row("value", Single, "differs from the value of the other threads' upc_notify",
			protocol("give the same value on all threads, or none")).
		row("value", Invalid, "differs from the value of this thread's own upc_notify",
			protocol("give upc_wait the value of upc_notify, or none")).
		row("(call)", Suspicious, "the thread holds a lock that another one waits for",
			protocol("release locks before waiting for other threads"))

	barrier := statement("BARR", "upc_barrier").takes("value")
	barrier.Collective, barrier.Sync = true, "1"
	barrier.row("(call)", Deadlock, "another thread is at a different collective operation",
		protocol("let all threads execute the same sequence of collective operations")).
		row("(call)", Deadlock, "another thread has ended", protocol("let all threads reach the barrier, or none")).
		row("(call)", Order, "between upc_notify and upc_wait",
			protocol("complete the upc_notify by a upc_wait first")).
		row("(call)", Order, "in the body of a controlling upc_forall", protocol("put it outside of the upc_forall")).
		row("value", Single, "differs between threads; those without a value do not count",
			protocol("give the same value on all threads, or none")).
		row("(call)", Deadlock, "the thread holds a lock that another one waits for",
			protocol("release locks before waiting for other threads"))

	forall := statement("FORA", "upc_forall").takes("cond", "affinity")
	forall.Collective = true
	forall.row("cond", Single, "the number of iterations differs between threads", by(Loops, "")).
		row("cond", Single, "the values of the condition differ between threads", by(Loops, "")).
		row("affinity", Single, "the values of the affinity differ between threads", by(Loops, "")).
		row("affinity", Suspicious, "a negative integer", by(Loops, "")).
		row("affinity", Invalid, "a null pointer", by(Loops, "")).
		row("affinity", Invalid, "points to an object that is freed, or to none", by(Loops, "")).
		row("affinity", Portability, "neither an integer nor a pointer-to-shared", by(Compiler, "COMP-31")).
		row("(call)", Deadlock, "another thread is at a different collective operation, or has ended",
			not("upc_forall does not wait, so threads that reach different ones are reported at the next collective "+
				"operation: their iterations are part of what is compared there")).
		row("(call)", Order, "between upc_notify and upc_wait", by(Loops, "")).
		row("(body)", Order, "a collective operation in the body of a controlling one",
			by(Elsewhere, "the row of that operation about upc_forall")).
		row("(body)", Order, "return leaves the body", by(Loops, "")).
		row("(body)", Order, "break leaves the loop", by(Loops, "")).
		row("(body)", Order, "goto leaves the body", by(Loops, "")).
		row("(body)", Order, "goto or a case label enters the body", by(Loops, "")).
		row("(body)", Order, "longjmp leaves the body", by(Loops, "")).
		row("(body)", Order, "the thread ends in the body", by(Loops, "")).
		row("(body)", Race, "an iteration depends on what another thread's iteration does", raced()).
		row("(body)", Portability, "one within another, which UPC 1.3 calls obsolescent",
			not("it is legal, and frequent"))

	end := statement("ENDT", "(end of a thread)")
	end.Collective, end.Sync = true, "1"
	end.row("(end)", Deadlock, "another thread waits at a collective operation",
		protocol("let all threads execute the same sequence of collective operations before they end")).
		row("(end)", Order, "after upc_notify without upc_wait", protocol("complete each upc_notify by a upc_wait")).
		row("(end)", Deadlock, "the thread holds a lock that another one waits for",
			protocol("release the lock before the end")).
		row("(end)", Suspicious, "the thread holds a lock that nobody waits for",
			protocol("release the lock before the end")).
		row("(end)", Leak, "a transfer whose handle was not given to upc_sync", by(Wrapper, "")).
		row("(end)", Leak, "transfers without handles, and no upc_synci", by(Wrapper, "")).
		row("(end)", Leak, "an asynchronous file operation that was not completed", by(Wrapper, "")).
		row("(end)", Leak, "shared objects, locks, domains that were not freed",
			not("the end of a program frees them; few programs do it themselves")).
		row("(end)", Suspicious, "exit with different statuses, or on some threads only",
			not("a thread that calls exit while the others continue is legal if all end in the same sequence "+
				"of operations"))

	return []*Function{notify, wait, barrier, forall, end}
}

const (
	upcHeader    = "upc.h"
	hintNotNull  = "test the result: it is null if there is not enough memory"
	hintNotFreed = "free an object once, by one thread (upc_free) or by all together (upc_all_free), with the " +
		"pointer that the allocation gave"
	useOfNull     = "a use of the null pointer is reported by the runtime of compiled programs"
	hintLockAlloc = "a lock comes from upc_all_lock_alloc or upc_global_lock_alloc"
)

func core() []*Function {
	prototype := func(prefix, p string) *Function { return function(prefix, upcHeader, "", p) }

	exit := prototype("GEXT", "void upc_global_exit(int status)")
	exit.row("(call)", Order, "in the body of a controlling upc_forall",
		tell("upck_forall_depth() > 0",
			`"upc_global_exit is called in the body of a controlling upc_forall, which no thread may leave"`,
			"leave the loop first")).
		row("(call)", Suspicious, "after upc_notify without upc_wait",
			not("a program that gives up may do so anywhere")).
		row("status", Suspicious, "another thread calls it with another status",
			not("the first call ends all threads, before others can be seen"))

	global := prototype("GALL", "shared void *upc_global_alloc(size_t nblocks, size_t nbytes)")
	global.allocation()
	global.row("(result)", Suspicious, "null, and used", by(Runtime, useOfNull)).
		row("(result)", Leak, "never freed", not("the end of a program frees it")).
		row("(result)", Suspicious, "assigned to a pointer with another layout",
			asked(tell("upck_other_layout(site, nblocks, nbytes)", `"the result %s", upck_reason()`,
				"allocate blocks of the size that the pointer's type has"))).
		row("(result)", Suspicious, "all threads call it, and pass their own object where the same one is needed",
			by(Elsewhere, "the row of the argument that has to be the same on all threads"))
	global.then = []string{"upck_allocated(result, nblocks, nbytes, site, UPCK_GLOBAL);"}

	all := prototype("AALL", "shared void *upc_all_alloc(size_t nblocks, size_t nbytes)")
	all.collective("0", "nblocks", "nbytes")
	all.allocation()
	all.row("(result)", Suspicious, "null, and used", by(Runtime, useOfNull)).
		row("(result)", Leak, "never freed", not("the end of a program frees it")).
		row("(result)", Suspicious, "assigned to a pointer with another layout",
			asked(tell("upck_other_layout(site, nblocks, nbytes)", `"the result %s", upck_reason()`,
				"allocate blocks of the size that the pointer's type has")))
	all.then = []string{"upck_allocated(result, nblocks, nbytes, site, UPCK_ALL | UPCK_TOGETHER);"}

	alloc := prototype("ALOC", "shared void *upc_alloc(size_t nbytes)")
	alloc.huge("nbytes").
		row("nbytes", Suspicious, "0: the result is null",
			asked(tell("nbytes == 0", `"is 0: the result is a null pointer"`, ""))).
		row("(result)", Suspicious, "null, and used", by(Runtime, useOfNull)).
		row("(result)", Leak, "never freed", not("the end of a program frees it")).
		row("(result)", Suspicious, "used as if its blocks were on several threads",
			asked(tell("upck_other_layout(site, 1, nbytes)", `"the result %s", upck_reason()`,
				"assign it to a pointer without blocks, shared [] T *, or call upc_all_alloc")))
	alloc.then = []string{"upck_allocated(result, 1, nbytes, site, UPCK_ALLOC);"}

	local := prototype("LALC", "shared void *upc_local_alloc(size_t nblocks, size_t nbytes)")
	local.file, local.native = "old", "UPCK_HAVE_upc_local_alloc"
	local.row("(call)", Portability, "UPC 1.3 does not have it any more",
		asked(tell("1", `"upc_local_alloc is of UPC 1.2; UPC 1.3 has upc_alloc"`, "call upc_alloc(nblocks * nbytes)"))).
		row("nblocks,nbytes", Invalid, "the product is more than a size_t holds", overflows("nblocks", "nbytes")).
		row("nblocks,nbytes", Suspicious, "the product is 0: the result is null",
			asked(tell("nblocks == 0 || nbytes == 0", `"or nbytes is 0: the result is a null pointer"`, "")))
	local.then = []string{"if (!UPCK_OVERFLOWS(nblocks, nbytes))",
		"\tupck_allocated(result, 1, nblocks * nbytes, site, UPCK_ALLOC);"}

	free := prototype("FREE", "void upc_free(shared void *ptr)")
	free.freeing(0)
	free.row("(data)", Race, "another thread uses the object at the same time", raced()).
		row("(data)", Invalid, "a transfer or a file operation still uses the object",
			reasonAt("ptr", "upck_freed_in_flight(ptr)",
				"wait for the transfer first, with upc_sync, upc_synci or upc_all_fwait_async")).
		row("ptr", Suspicious, "all threads free the same object", by(Elsewhere, "FREE-04, at the second thread"))
	free.call = []string{"upck_freed(ptr, site, 0);"}

	allFree := prototype("AFRE", "void upc_all_free(shared void *ptr)")
	allFree.collective("0", "ptr")
	allFree.freeing(1)
	allFree.row("(data)", Invalid, "a transfer or a file operation still uses the object",
		reasonAt("ptr", "upck_freed_in_flight(ptr)",
			"wait for the transfer first, with upc_sync, upc_synci or upc_all_fwait_async"))
	allFree.call = []string{"upck_freed(ptr, site, 1);"}

	var all1 = []*Function{exit, global, all, alloc, local, free, allFree}
	for _, p := range [][2]string{{"THOF", "upc_threadof"}, {"PHOF", "upc_phaseof"}, {"ADRF", "upc_addrfield"}} {
		f := prototype(p[0], "size_t "+p[1]+"(shared void *ptr)")
		f.row("ptr", Invalid, "points to a lock, a file handle or an atomicity domain",
			reason("upck_opaque(site, $I, $A)", "the parts of such pointers mean nothing")).
			row("ptr", Suspicious, "points to a freed object", asked(reason("upck_dead(site, $I, $A)", ""))).
			row("ptr", Suspicious, "null", asked(tell("$A == 0", `"is a null pointer"`, "")))
		all1 = append(all1, f)
	}
	reset := prototype("RPHA", "shared void *upc_resetphase(shared void *ptr)")
	reset.row("ptr", Invalid, "points to a lock, a file handle or an atomicity domain",
		reason("upck_opaque(site, $I, $A)", "such pointers have no phase")).
		row("ptr", Suspicious, "null", asked(tell("$A == 0", `"is a null pointer"`, ""))).
		row("(result)", Suspicious, "not used: the function does not change its argument",
			tell("site->unused",
				`"upc_resetphase gives a pointer, and does not change its argument: the call has no effect"`,
				"assign the result"))

	size := prototype("AFSZ", "size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid)")
	size.row("threadid", Invalid, "THREADS or more", tell("threadid >= (size_t)THREADS && !UPCK_HUGE(threadid)",
		`"is %zu, and THREADS is %d", threadid, THREADS`, "threads are 0 to THREADS-1")).
		huge("threadid").huge("totalsize").huge("nbytes").
		row("totalsize,nbytes", Suspicious, "nbytes is more than totalsize",
			asked(tell("nbytes > totalsize && !UPCK_HUGE(nbytes)", `"is %zu, less than nbytes %zu", totalsize, nbytes`,
				""))).
		row("totalsize,nbytes", Suspicious, "totalsize is no multiple of nbytes",
			asked(tell("nbytes != 0 && totalsize % nbytes != 0",
				`"is %zu, no multiple of nbytes %zu", totalsize, nbytes`, ""))).
		row("totalsize", Suspicious, "0", asked(tell("totalsize == 0", `"is 0"`, "")))
	return append(append(all1, reset, size), append(locks(), memory("upc.h", "", "")...)...)
}

// reasonAt is a reason for a row whose argument column is no parameter: it names the parameter.
func reasonAt(param, test, hint string) check {
	return tell(test, fmt.Sprintf(`"%s %%s", upck_reason()`, param), hint)
}

func overflows(a, b string) check {
	return tell(fmt.Sprintf("UPCK_OVERFLOWS(%s, %s)", a, b),
		fmt.Sprintf(`"is %%zu, and %s %%zu: the product is more than a size_t holds", %s, %s`, b, a, b), hintNegative)
}

// allocation adds the rows of nblocks and nbytes.
func (f *Function) allocation() {
	f.huge("nblocks").huge("nbytes").
		row("nblocks,nbytes", Invalid, "the product is more than a size_t holds", overflows("nblocks", "nbytes")).
		row("nblocks,nbytes", Suspicious, "the product is 0: the result is null",
			asked(tell("nblocks == 0 || nbytes == 0", `"or nbytes is 0: the result is a null pointer"`, ""))).
		row("nblocks,nbytes", Suspicious, "perhaps exchanged: nbytes is THREADS",
			asked(tell("nbytes == (size_t)THREADS && nblocks > nbytes && nblocks % sizeof(int) == 0",
				`"is %zu, and nbytes is THREADS: perhaps they are meant the other way round", nblocks`,
				"nblocks comes first")))
}

// freeing adds the rows of a pointer that upc_free or upc_all_free gets.
func (f *Function) freeing(together int) {
	f.before = []string{fmt.Sprintf("int bad = upck_bad_free(site, 0, ptr, %d);", together)}
	is := func(kind string) check { return reason("bad == UPCK_"+kind, hintNotFreed) }
	interior := f.add("ptr", Invalid, "points into an object, and not to its start", is("INTERIOR")).ID
	f.row("ptr", Invalid, "points to a declared object", is("STATIC")).
		row("ptr", Invalid, "freed already by this thread", is("FREED_HERE")).
		row("ptr", Invalid, "freed already by another thread", is("FREED_THERE")).
		row("ptr", Invalid, "points to a lock, a file handle or an atomicity domain", is("OPAQUE")).
		row("ptr", Invalid, "no allocation gave it", is("NEVER")).
		row("ptr", Suspicious, "its phase is not 0",
			by(Elsewhere, interior+": a pointer with a phase is not the start")).
		row("ptr", Suspicious, "null: nothing happens",
			asked(tell("ptr == 0", `"is a null pointer: nothing is freed"`, "")))
}

func locks() []*Function {
	prototype := func(prefix, p string) *Function { return function(prefix, upcHeader, "", p) }
	var out []*Function

	global := prototype("GLAL", "upc_lock_t *upc_global_lock_alloc(void)")
	global.row("(result)", Suspicious, "all threads call it, and each locks its own",
		not("which lock is meant for what cannot be seen; what they do not protect is a race")).
		row("(result)", Leak, "never freed", not("the end of a program frees it")).
		row("(result)", Suspicious, "null, and used", by(Elsewhere, "LOCK-01, LATT-01, UNLK-01"))
	global.then = []string{"upck_allocated((shared void *)result, 1, 1, site, UPCK_LOCK);",
		"upck_lock_made((shared void *)result, site, 0);"}

	all := prototype("ALAL", "upc_lock_t *upc_all_lock_alloc(void)")
	all.collective("0")
	all.row("(result)", Leak, "never freed", not("the end of a program frees it")).
		row("(result)", Suspicious, "null, and used", by(Elsewhere, "LOCK-01, LATT-01, UNLK-01"))
	all.then = []string{"upck_allocated((shared void *)result, 1, 1, site, UPCK_LOCK | UPCK_TOGETHER);",
		"upck_lock_made((shared void *)result, site, 1);"}
	out = append(out, global, all)

	for _, p := range []struct {
		prefix, name string
		together     int
	}{{"LFRE", "upc_lock_free", 0}, {"ALFR", "upc_all_lock_free", 1}} {
		f := prototype(p.prefix, "void "+p.name+"(upc_lock_t *ptr)")
		if p.together == 1 {
			f.collective("0", "ptr")
		}
		f.lock()
		f.row("ptr", Invalid, "another thread waits for it in upc_lock", protocol("free a lock after its last use")).
			row("ptr", Suspicious, "this thread holds it", protocol("release the lock first")).
			row("ptr", Suspicious, "another thread holds it", protocol("free a lock after its last use")).
			row("ptr", Suspicious, "null: nothing happens",
				asked(tell("ptr == 0", `"is a null pointer: nothing is freed"`, ""))).
			row("(data)", Race, "another thread uses the lock at the same time", raced())
		if p.together == 0 {
			f.row("ptr", Suspicious, "all threads free the same lock", by(Elsewhere, "LFRE-03, at the second thread"))
		}
		f.call = []string{fmt.Sprintf("upck_freed((shared void *)ptr, site, %d);", p.together), "if (ptr != 0)",
			fmt.Sprintf("\tupck_lock_freed((shared void *)ptr, site, %d);", p.together)}
		out = append(out, f)
	}

	lock := prototype("LOCK", "void upc_lock(upc_lock_t *ptr)")
	lock.nullLock()
	lock.row("ptr", Invalid, "this thread holds it already", protocol("release the lock before taking it again")).
		row("(call)", Deadlock, "two threads wait for each other's locks",
			protocol("let all threads take locks in one order")).
		row("(call)", Deadlock, "a circle of three or more threads waits for each other's locks",
			protocol("let all threads take locks in one order")).
		row("(call)", Deadlock, "the holder has ended", protocol("release locks before the end")).
		row("(call)", Deadlock, "the holder is at a collective operation that cannot complete",
			protocol("release locks before collective operations")).
		row("(call)", Deadlock, "the holder polls upc_lock_attempt without end",
			protocol("release what one holds when an attempt fails")).
		row("(call)", Suspicious, "two locks are taken in different orders by different threads, without a deadlock "+
			"in this run",
			ifAsked(protocol("let all threads take locks in one order: in another run they may wait for each other"))).
		row("ptr", Invalid, "another thread frees the lock while this one waits", by(Elsewhere, "LFRE-04, ALFR-08"))

	attempt := prototype("LATT", "int upc_lock_attempt(upc_lock_t *ptr)")
	attempt.nullLock()
	attempt.row("ptr", Invalid, "this thread holds it already", protocol("release the lock before taking it again")).
		row("(call)", Deadlock, "polled for long, and the holder has ended", protocol("release locks before the end")).
		row("(call)", Deadlock, "polled for long, and the holder is at a collective operation",
			protocol("release locks before collective operations")).
		row("(call)", Deadlock, "polled for long, and the holder waits for a lock of this thread",
			protocol("release what one holds when an attempt fails")).
		row("(result)", Suspicious, "not used",
			tell("site->unused",
				`"the result of upc_lock_attempt is not used: whether the thread has the lock is not known"`,
				"test the result, or call upc_lock"))

	unlock := prototype("UNLK", "void upc_unlock(upc_lock_t *ptr)")
	unlock.nullLock()
	unlock.row("ptr", Invalid, "no thread holds it", protocol("call upc_unlock once for each upc_lock")).
		row("ptr", Invalid, "another thread holds it", protocol("the thread that took a lock releases it"))
	unlock.call = []string{"if (bad == UPCK_FINE && ptr != 0)", "\tupck_unlocking(site, (shared void *)ptr);"}
	return append(out, lock, attempt, unlock)
}

// lock adds the rows of a pointer that is no lock, or not any more.
func (f *Function) lock() {
	i := f.param("ptr")
	f.before = []string{fmt.Sprintf("int bad = upck_bad_opaque(site, %d, (shared void *)ptr, UPCK_LOCK);", i)}
	f.row("ptr", Invalid, "no lock", reason("bad == UPCK_NEVER", hintLockAlloc)).
		row("ptr", Invalid, "freed already by this thread",
			reason("bad == UPCK_FREED_HERE", "free a lock after its last use")).
		row("ptr", Invalid, "freed already by another thread",
			reason("bad == UPCK_FREED_THERE", "free a lock after its last use"))
}

// nullLock adds the rows of a lock that is to be used.
func (f *Function) nullLock() {
	f.before = []string{"int bad = upck_bad_opaque(site, 0, (shared void *)ptr, UPCK_LOCK);"}
	f.row("ptr", Invalid, "null", tell("ptr == 0", `"is a null pointer"`, hintLockAlloc)).
		row("ptr", Invalid, "no lock", reason("bad == UPCK_NEVER", hintLockAlloc)).
		row("ptr", Invalid, "freed already", reason("bad == UPCK_FREED_HERE || bad == UPCK_FREED_THERE",
			"free a lock after its last use"))
}
