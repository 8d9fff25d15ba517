package finding

// textUPC holds the words of the catalogue for UPC programs. References are to UPC 1.3.
func textUPC(code Code) (Doc, bool) {
	switch code {
	case UPCDeadlock:
		return Doc{
			Title: "threads of a UPC program wait for each other forever", Severity: Error, Since: Version01,
			Means: `
Some threads have reached different collective operations, or one that others never reach because they have ended; or threads wait for
locks in a cycle, for a lock held by a thread that has ended, or for one held by a thread that waits for them at a collective operation.

Programs compiled by upc-check detect this before they hang, and the table lists all threads. In programs compiled by unknot upcc, unknot run detects it
when all threads wait and none can be woken any more; then the report shows which thread waits in which operation, but not which lock it is.`,
			Why: `
A branch that depends on MYTHREAD around upc_barrier or another collective operation, an early return on one thread, a loop that runs a
different number of times on some threads (UPC 1.3, 3 and 6.6.1). For locks: two threads that take the same two locks in different
order, or a path out of a function that skips upc_unlock (7.2.4).`,
			Fix: `
Find the branch that separates the threads, and move the collective operation out of it. Take locks in the same order on all threads, and unlock
before a collective operation and on every path to the end.`,
		}, true
	case UPCSingleValued:
		return Doc{
			Title: "threads pass different values where all must pass the same", Severity: Error, Since: Version01,
			Means: `
An argument of a collective function, the value of a barrier, or the condition or the affinity of a upc_forall differs between threads. The
specification calls these single-valued: the program has no defined behaviour if they differ.`,
			Why: `
A size or a pointer that each thread computes for itself; memory from upc_global_alloc, which allocates separately for each thread, where
upc_all_alloc is meant; a loop bound that depends on the thread.`,
			Fix: `
Compute the argument from values that all threads have, or let one thread write it to a shared variable and all read it after a barrier.`,
		}, true
	case UPCArgument:
		return Doc{
			Title: "a UPC function is passed an argument that it does not accept", Severity: Error, Since: Version01,
			Means: `
The argument that the finding names has a value that the function's specification excludes: a size that is not positive, a null pointer, a
pointer with the wrong phase or thread, a flag that does not exist, a buffer that does not reach far enough. The function was not called.`,
			Why: `
A variable that has not been set, a size in elements instead of bytes, a pointer into the middle of a block, or an array whose
layout is not what the function expects.`,
			Fix: `
The finding shows the argument as written in the source, and where its variables are declared. Trace them back to where they get
their value.`,
		}, true
	case UPCOrder:
		return Doc{
			Title: "a UPC statement or function is used where it is not allowed", Severity: Error, Since: Version01,
			Means: `
The statement is valid in itself, but not at this place or time: a upc_wait without upc_notify, a collective operation between the two, a
collective operation or a jump in the body of a upc_forall, a function on a file that has been closed.`,
			Why: `
Statements that belong together are separated by a branch, or a function that is called in the body of a upc_forall contains a
collective operation (UPC 1.3, 6.6.1 and 6.6.2).`,
			Fix: `
Move the statement to a place that all threads reach in the same order, outside notify-wait pairs and upc_forall bodies.`,
		}, true
	case UPCLock:
		return Doc{
			Title: "a lock is used incorrectly", Severity: Error, Since: Version01,
			Means: `
A thread locks a lock that it already holds, which would make it wait for itself forever, or unlocks one that it does not hold (UPC 1.3, 7.2.4).`,
			Why: `
A function takes a lock that its caller holds; upc_unlock follows a upc_lock_attempt that may have failed; one thread
unlocks on behalf of another.`,
			Fix: `
Let the thread that took a lock release it, once, on every path through the program.`,
		}, true
	case UPCRace:
		return Doc{
			Title: "two threads access the same shared memory at the same time, or the same part of a file, and one " +
				"of them writes", Severity: Error, Since: Version01,
			Means: `
Two accesses touch the same bytes, at least one of them is a write and one is relaxed, and nothing orders them: no barrier, no lock that both hold, no
strict flag that one thread sets and the other reads. Which of them comes first differs from run to run, so the value that is read or left
behind may differ, too.

A race marked manifest happened in this run: the accesses were not ordered, whichever came first. A race marked predicted was prevented in this
run only by the order in which threads happened to take a lock.

Accesses are recorded in sources compiled with unknot upcc --check=race.

Parts of files are compared in programs of upc-check, with or without --race: one thread writes a part that another one writes or reads afterwards, and
neither upc_all_fsync nor upc_all_fclose is between. No barrier makes visible what is in a file, unless it was opened with UPC_STRONG_CA.`,
			Why: `
A missing upc_barrier between the loop that fills a shared array and the loop that reads the elements of other threads; a reduction into
a shared variable without a lock; a lock around the write, but not around the read; a relaxed flag where a strict one is needed (UPC 1.3, 5.1.2.3); a
pointer-to-local into one's own part of an array that others still read.`,
			Fix: `
Put a upc_barrier between the two accesses, or take the same lock around both. To hand data over through a flag, declare the flag strict, write
the data before it, and read them after it. For counters, use upc_atomic.

Of files, let each thread write its own part, and call upc_all_fsync before threads read what others have written.`,
		}, true
	case UPCLivelock:
		return Doc{
			Title: "a loop waits for a lock or a strict shared object, and can never succeed", Severity: Error,
			Since: Version01,
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
			Title: "a use of UPC that is legal but rarely intended", Severity: Warning, Since: Version01,
			Means: `
The program may do this, but it is often a mistake: a lock that is held at the end of a thread, or, with UPCCHECK_SUSPICIOUS=TRUE, a transfer of no
bytes, for example.`,
			Why: `
The usual cause is an unforeseen size or branch.`,
			Fix: `
Check whether it is intended. A suppression (unknot run --suppressions) silences it at a given place.`,
		}, true
	case UPCError:
		return Doc{
			Title: "the UPC runtime has ended the program", Severity: Error, Since: Version01,
			Means: `
The runtime of unknot upcc has met an error that it cannot recover from, such as an access to shared memory that does not exist, no
memory, values of a barrier that differ, a lock that is taken after it was freed, or one that is unlocked by a thread that does not hold it. The
sentence is the runtime's.`,
			Why: `
The runtime checks only what it needs itself. The error may have started earlier.`,
			Fix: `
Compile the program with upc-check instead of unknot upcc: it checks the arguments and the order of all UPC operations, and reports
where the error starts.`,
		}, true
	}
	return Doc{}, false
}
