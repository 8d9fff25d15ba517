package finding

// textUPC holds the words of the catalogue for UPC programs. References are to UPC 1.3.
func textUPC(code Code) (Doc, bool) {
	switch code {
	case UPCDeadlock:
		return Doc{
			Title: "threads of a UPC program wait for each other for ever", Severity: Error, Since: Version01,
			Means: `
Some threads have come to different collective operations, or to one that others never come to because they have ended; or threads wait for
locks in a circle, for a lock of a thread that has ended, or for one of a thread that waits for them at a collective operation.

Programs of upc-check find this before they hang, and the table has all threads. In programs of unknot upcc, unknot run sees it
when all threads wait and none can be woken any more; then it is known who waits in which operation, and not which lock it is.`,
			Why: `
A branch that depends on MYTHREAD around upc_barrier or another collective operation, an early return on one thread, a loop that runs a
different number of times on some threads (UPC 1.3, 3 and 6.6.1). For locks: two threads that take the same two locks in different
order, or a way out of a function on which upc_unlock is left out (7.2.4).`,
			Fix: `
Find the branch that parts the threads, and move the collective operation out of it. Let all threads take locks in one order, and unlock
before a collective operation and on every way to the end.`,
		}, true
	case UPCSingleValued:
		return Doc{
			Title: "threads give different values for what must be the same on all of them", Severity: Error, Since: Version01,
			Means: `
An argument of a collective function, the value of a barrier, or the condition or the affinity of an upc_forall differs between threads. The
specification calls these single-valued: the program has no defined behaviour if they differ.`,
			Why: `
A size or a pointer that each thread computes for itself; memory from upc_global_alloc, which each thread gets for itself, where that of
upc_all_alloc is meant; a bound of a loop that depends on the thread.`,
			Fix: `
Compute the argument from values that all threads have, or let one thread write it to a shared variable and all read it after a barrier.`,
		}, true
	case UPCArgument:
		return Doc{
			Title: "a UPC function gets an argument that it does not allow", Severity: Error, Since: Version01,
			Means: `
The argument that the finding names has a value that the description of the function rules out: a size that is not positive, a null pointer, a
pointer with the wrong phase or thread, a flag that does not exist, a buffer that does not reach far enough. The function was not called.`,
			Why: `
A variable that has not been set, a size in elements where bytes are meant, a pointer into the middle of a block, or an array that
is laid out in another way than the function expects.`,
			Fix: `
The finding shows the argument as it stands in the source, and where the variables in it are declared. Follow them back to where they get
their value.`,
		}, true
	case UPCOrder:
		return Doc{
			Title: "a UPC statement or function stands where it must not", Severity: Error, Since: Version01,
			Means: `
The statement is right by itself, and wrong at this place or time: an upc_wait without upc_notify, a collective operation between the two, a
collective operation or a jump in the body of an upc_forall, a function on a file that has been closed.`,
			Why: `
Statements that belong together have come apart by a branch, or a function that is called in the body of an upc_forall contains a
collective operation (UPC 1.3, 6.6.1 and 6.6.2).`,
			Fix: `
Bring the statement to a place where all threads come to it in the same order, and where nothing is open.`,
		}, true
	case UPCLock:
		return Doc{
			Title: "a lock is used against its rules", Severity: Error, Since: Version01,
			Means: `
A thread locks what it holds already, which would make it wait for itself for ever, or unlocks what it does not hold (UPC 1.3, 7.2.4).`,
			Why: `
A function takes a lock that its caller has taken; upc_unlock stands behind an upc_lock_attempt that may have failed; one thread
unlocks for another.`,
			Fix: `
Let the thread that has taken a lock give it back, once, on each way through the program.`,
		}, true
	case UPCLivelock:
		return Doc{
			Title: "a loop waits for a lock or for a strict shared object, and can never succeed", Severity: Error, Since: Version01,
			Means: `
A thread calls upc_lock_attempt in a loop, and the thread that holds the lock waits for it in turn, has ended, or is at a collective operation. Or a
loop reads a strict shared object until its value changes, and all other threads wait or have ended. It is an error, and the program is ended, if the
loop does nothing else and cannot give up. It is a warning if the thread may give up and has tried for UPCCHECK_LIVELOCK_TIMEOUT seconds.`,
			Why: `
The causes are those of a deadlock through locks, with upc_lock_attempt in a loop in place of upc_lock; or a flag that a thread sets only after a
barrier, or on a branch that it has not taken.`,
			Fix: `
Fix it as a deadlock: one order of locks on all threads, and upc_unlock before collective operations and ends. Set a flag before the thread waits.`,
		}, true
	case UPCSuspicious:
		return Doc{
			Title: "a use of UPC that is legal and rarely meant", Severity: Warning, Since: Version01,
			Means: `
The program may do this, and it is often a mistake: a lock that is held at the end of a thread, or, with UPCCHECK_SUSPICIOUS=TRUE, a transfer of no
bytes and its like.`,
			Why: `
The usual cause is a size or a branch that was not thought of.`,
			Fix: `
Look whether it is meant. A suppression (unknot run --suppressions) silences it for a place.`,
		}, true
	case UPCError:
		return Doc{
			Title: "the run-time of UPC has ended the program", Severity: Error, Since: Version01,
			Means: `
The run-time of unknot upcc has come to something with which it cannot go on, such as an access to shared memory that does not exist, no
memory, values of a barrier that differ, or a lock that is unlocked by a thread that does not hold it. The sentence is the run-time's.`,
			Why: `
The run-time looks at little, and only at what it needs itself. The error may have begun earlier.`,
			Fix: `
Compile the program with upc-check in place of unknot upcc: it checks the arguments and the order of all UPC operations, and tells
where an error begins.`,
		}, true
	}
	return Doc{}, false
}
