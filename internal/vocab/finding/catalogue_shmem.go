package finding

// textSHMEM holds the words of the catalogue for OpenSHMEM programs. References are to OpenSHMEM 1.4.
func textSHMEM(code Code) (Doc, bool) {
	switch code {
	case SHMEMDeadlock:
		return Doc{
			Title: "PEs of an OpenSHMEM program wait for each other forever", Severity: Error, Since: Version01,
			Means: `
Some PEs wait and can never continue: at a collective that others do not reach, for a value that nobody is left to write, or for a lock whose holder
waits for them in turn, or has ended. The finding shows where each PE waits, and for whom.

A PE that works on may still write a value, so one that waits for a value is reported only when all others wait as well, or have ended.`,
			Why: `
A branch on the number of the PE around shmem_barrier_all or another collective (9.8), an early return, active sets that overlap and are used in
different order; a flag that is set too late, at the wrong PE or with another value than the one that is waited for (9.9); two locks that two PEs take in different
order, or a lock that is kept at a barrier (9.11).`,
			Fix: `
Let all members of an active set make the same collectives in the same order. Set a flag before waiting for an answer, and wait with a comparison
that later values satisfy too, such as SHMEM_CMP_GE. Take locks in the same order on all PEs, and give them back before a collective.`,
		}, true
	case SHMEMCollective:
		return Doc{
			Title: "PEs disagree in a collective of OpenSHMEM", Severity: Error, Since: Version01,
			Means: `
The members of an active set are in the same collective, by the order of their calls, but do not make the same call: the functions differ, or the
root, the number of elements or the size of an element does. Or two PEs are at the same call with different active sets, are members of both, and each
waits for the other to come to its own. shmem_malloc, shmem_realloc, shmem_align and shmem_calloc count as collectives of all PEs, which must
ask for the same size (9.3).`,
			Why: `
An argument that each PE computes for itself: a size from its own share of the data, a root from its own search; the root of a broadcast
counted in the active set by some PEs and in the whole job by others (9.8); a PE_size that each PE computes from its own number; shmem_malloc of what this PE needs.`,
			Fix: `
Compute the argument from values that all PEs have, or exchange it first. Allocate the maximum of what the PEs need. For contributions of different sizes, use
shmem_collect.`,
		}, true
	case SHMEMArgument:
		return Doc{
			Title: "an OpenSHMEM function is passed an argument that it does not accept", Severity: Error,
			Since: Version01,
			Means: `
The argument that the finding names has a value that the function excludes: a PE that does not exist, an address that is not symmetric, memory beyond the
end of a block or variable or in a block that was freed, a null pointer, a stride below 1, an unknown comparison, an active set that reaches beyond the last PE or
lacks the PE that calls, a root outside of it, a source that overlaps the target, a pSync array with other values than SHMEM_SYNC_VALUE, a misaligned atomic
variable, a block that shmem_malloc has not given. The library may crash, write elsewhere or do nothing.`,
			Why: `
A neighbour computed as me + 1 or me - 1 at an end; an address on the stack or from malloc, where only variables with static storage and blocks of
the symmetric heap can be accessed by other PEs (9.5); bytes where elements are counted, or the reverse; pSync that is set by one PE only, or without a barrier
before its first use (9.8).`,
			Fix: `
The finding shows the call, and what is known of the memory: the block or variable, its size, where it was freed. Trace the argument back to where it gets
its value.`,
		}, true
	case SHMEMOrder:
		return Doc{
			Title: "an OpenSHMEM function is called when it is not allowed", Severity: Error, Since: Version01,
			Means: `
The call is valid in itself, but not at this time or by this thread: before shmem_init or after shmem_finalize, a second shmem_init, a context that
was destroyed or never created, shmem_ctx_destroy of the default context, a thread that the level of shmem_init_thread does not admit, or one that may not
use the context: another than the creator of one with SHMEM_CTX_PRIVATE, or two at once with SHMEM_CTX_SERIALIZED (OpenSHMEM 1.4, 9.4.1).`,
			Why: `
A library that initialises OpenSHMEM for itself; an object whose destructor runs after shmem_finalize; a context that is kept in two places; OpenMP threads in a
program that calls shmem_init, which admits only one thread (9.2).`,
			Fix: `
Call shmem_init first and shmem_finalize last, once each. Ask for the thread level that the program needs, and compare it with the one that is provided. Destroy each
context once, after its last use.`,
		}, true
	case SHMEMLock:
		return Doc{
			Title: "a lock of OpenSHMEM is used incorrectly", Severity: Error, Since: Version01,
			Means: `
A PE sets a lock that it already holds, and may then wait for itself forever; it clears a lock that it does not hold; or, a warning, it still holds one at
shmem_finalize (9.11).`,
			Why: `
A function sets a lock that its caller holds; shmem_clear_lock follows a shmem_test_lock that has failed (it gives 1 if the lock is taken); one PE clears a lock
on behalf of another; a path out of a function skips shmem_clear_lock.`,
			Fix: `
Let the PE that has set a lock clear it, once, on every path through the program.`,
		}, true
	case SHMEMRace:
		return Doc{
			Title:    "the same memory of a PE is accessed twice at the same time, and one of the two accesses writes",
			Severity: Error, Since: Version01,
			Means: `
Two OpenSHMEM calls, or a call and a load or store of the program, touch the same bytes of a PE's symmetric memory, at least one of them writes, not both are atomic, and nothing orders them: no barrier, no lock
that both hold, no flag that is written after a fence and waited for. Which comes first differs from run to run, so what is read or left behind may differ, too. Both may
be of one PE: a put is complete only at the next barrier or shmem_quiet, and two puts are ordered only by a fence between them (9.10). Until shmem_quiet, the source of
shmem_put_nbi must not be written, and the target of shmem_get_nbi must not be accessed at all (9.6); this holds for private memory as well.

A race marked manifest happened in this run: nothing ordered the accesses, whichever came first. A race marked predicted was ordered in this run only by
chance: by the order in which PEs took a lock, or, it may be, by a plain load of what another PE had put there, or a get of what another one had stored.

Puts, gets, atomic operations, buffers of collectives and shmem_free are compared. Loads and stores are seen in programs that were compiled with ` + "`unknot oshcc` or `oshcxx`" + `; those
that are atomic or volatile are taken to order PEs, and are never reported.`,
			Why: `
A missing barrier between the puts of a phase and the loads or gets of the next one; a buffer that is filled again without shmem_quiet; a flag that is put after the data without shmem_fence or shmem_quiet; a get
of what the PE itself has put, without shmem_quiet; a pSync or a target that is reused before all PEs have left the collective (9.8); a counter that is read and written by
get and put; shmem_sync_all where shmem_barrier_all is needed, or a barrier without shmem_ctx_quiet for the puts of a context.`,
			Fix: `
Put a shmem_barrier_all between the two accesses. To hand data over, put the data, call shmem_fence, put the flag, and let the other PE call shmem_wait_until
before it accesses them. Use two pSync arrays in turn, atomic operations for counters, and a lock around what several PEs update.`,
		}, true
	}
	return Doc{}, false
}
