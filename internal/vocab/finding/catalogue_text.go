package finding

// text holds the words of the catalogue. References are to the MPI-4.0 standard.
func text(code Code) (Doc, bool) {
	switch code {
	case Deadlock:
		return Doc{
			Title: "ranks wait for each other and can never continue", Severity: Error, Since: Version01,
			Peers: []string{"ERROR_DEADLOCK", "GLOBAL:DEADLOCK:HARD"},
			Means: `
The ranks that the finding names are in MPI calls, and each of them waits for something that only the others could
do. Nothing that is still running can release them. The job would hang forever.

A deadlock marked manifest happened in this run: unknot saw every one of its ranks stuck. Ranks listed as "also stuck" are not
to blame. They wait for the deadlocked ones.

A deadlock marked predicted follows from the recorded calls. As an error it is certain: no rank could have avoided it
depending on what it received. As a warning it is possible: a rank makes calls after receiving a different message than in the
recorded run, and it is a deadlock if these calls stay the same.`,
			Why: `
The usual shapes are: two ranks that both receive before they send; two ranks that both send large messages before they
receive; a collective call that some ranks of the communicator never reach; a receive whose tag, source or communicator
does not match any message that will be sent; a receive from MPI_ANY_SOURCE that took the message meant for a later
receive; a wait on a request that no other rank serves; and ranks that take part in two communicators in a different
order.`,
			Fix: `
Read what each rank waits for and follow it to the rank that should act first. Then change the order there, or let MPI
order the calls: MPI_Sendrecv for exchanges, MPI_Irecv before MPI_Send, and one MPI_Waitall for all requests.

For collectives, make sure that all ranks of the communicator call the same ones in the same order, and that no branch
on the rank skips one. If a note names a near miss, compare its tag and communicator with those of the receive.`,
		}, true
	case DeadlockLikely:
		return Doc{
			Title: "ranks seem to wait for each other, as seen from outside", Severity: Warning, Since: Version01,
			Means: `
unknot attach has looked at a running job. All ranks that the finding names are in MPI calls, and none of these calls returned while they
were watched. No rank outside of them can let them go on. But not everything is known that a proof needs, and the notes say what is missing.

The finding is predicted, not proved: the ranks may still go on.`,
			Why: `
From outside, a call shows what it was given, and not what was called before. So it is not known for whom MPI_Wait and the like wait, nor which
ranks belong to a communicator that the program has made. An optimized program may have overwritten an argument. And where performance events are
not allowed, a call that lasts looks like one that is made again and again.`,
			Fix: `
Read what each rank is in, and look for the rank that should act first. To have it proved, run the program under unknot run. If a note says that the
machine does not allow something, allow it and attach again.`,
		}, true
	case DeadlockUnsafe:
		return Doc{
			Title: "the run ended only because MPI buffered messages", Severity: Warning, Since: Version01,
			Peers: []string{"GLOBAL:DEADLOCK:POTENTIAL"},
			Means: `
The program continued in this run, but the MPI standard does not guarantee that. If MPI had not buffered a message,
or had made a collective call wait for all its members, the named ranks would have waited for each other forever.

The finding is predicted: it follows from the calls that were made, not from a hang that was seen.`,
			Why: `
MPI_Send may return before the receiver is ready, if MPI has space to buffer the message (MPI-4.0, 3.4 and 3.5). How much space
there is depends on the MPI library, its settings, the network and the message size. Programs that rely on it work
in small tests but hang with larger input or on another machine.

In the same way a collective call may return on some ranks before the others have called it, or wait for all of them, as if
it were a barrier (MPI-4.0, 6.1). A program must not rely on either.`,
			Fix: `
Write the exchange so that it needs no buffering: MPI_Sendrecv, or MPI_Irecv posted before the send, or an order in which one
side sends while the other receives. To check the fix, replace MPI_Send by MPI_Ssend for one run: it must still finish.

If buffering is intended, make it explicit with MPI_Bsend and a buffer of known size.`,
		}, true
	case Livelock:
		return Doc{
			Title: "a rank polls for something that can never come", Severity: Error, Since: Version01,
			Peers: []string{"GLOBAL:DEADLOCK:NO_PROGRESS"},
			Means: `
A rank calls MPI_Test, MPI_Iprobe or a similar function again and again. It is not blocked in MPI, but it still
waits, and what it polls for can no longer come from any other rank.`,
			Why: `
The causes are those of a deadlock, inside a loop: a tag, source or communicator that matches no message, a message that
another receive has taken, or a partner that waits for this rank in turn or has already finished.`,
			Fix: `
Find what the loop polls for and the rank that should provide it. Compare tag, source and communicator on both
sides. If the loop should also end for another reason, such as a stop message, make sure that this message is sent to
every rank that polls.`,
		}, true
	case RankDied:
		return Doc{
			Title: "a rank ended before MPI_Finalize", Severity: Error, Since: Version01,
			Peers: []string{"LOCAL:EXIT:SIGNAL", "LOCAL:EXIT:BEFORE_MPI_FINALIZE"},
			Means: `
A process of the job ended without finishing MPI: by a signal such as SIGSEGV, by exit without MPI_Finalize or, in a program without
MPI_Init, with a session that it has not finalised, by MPI_Abort, or by an uncaught exception. The finding names the line at which it ended, if that is known, and its last MPI call. Ranks that wait for it are listed;
they can never continue. Of PEs of OpenSHMEM that end before shmem_finalize, the first is reported.`,
			Why: `
Usually it is an ordinary bug in one rank: a bad pointer, exhausted memory, an input file that is missing on one
host, a failed assertion. The last MPI call is not necessarily where the error is; it shows how far the rank got. A rank that
exits in an error branch while the others continue is the second most common cause.`,
			Fix: `
Fix the cause of death first; the waits are only a consequence. For a signal, look at the call stack or run that rank under a
debugger. For an error exit, either call MPI_Abort, which ends all ranks, or let all ranks agree on the failure with a
collective call and leave together.`,
		}, true
	case CollectiveMismatch:
		return Doc{
			Title: "ranks call different collectives on one communicator", Severity: Error, Since: Version01,
			Peers: []string{"ERROR_COLLECTIVE_CALL_MISMATCH", "ERROR_COLLECTIVE_BLOCKING_NONBLOCKING_MISMATCH",
				"ERROR_COLLECTIVE_OP_MISMATCH",
				"ERROR_COLLECTIVE_ROOT_MISMATCH", "GLOBAL:COLLECTIVE:OPERATION_MISMATCH",
				"GLOBAL:COLLECTIVE:REDUCTION_OPERATION_MISMATCH",
				"GLOBAL:COLLECTIVE:ROOT_MISMATCH", "GLOBAL:COLLECTIVE:COMM_FREE_MISMATCH"},
			Means: `
On one communicator, some ranks called one collective operation while others called another one, or the same one with a
different root or a different reduction operator. The calls were paired by their order, as MPI pairs them.

Or some ranks called a collective that others, which have reached MPI_Finalize, never called, or that they called more often than
those did. The call may still return: the root of MPI_Bcast, for example, need not wait for the others. Where it waits,
the finding is a deadlock.

MPI may not detect this. The run may hang, produce wrong results, or seem to work.`,
			Why: `
All members of a communicator must call the same collectives in the same order, with the same root and operator
(MPI-4.0, 6.14). The usual causes are a branch on the rank around a collective, a loop that runs a different number of times on
some ranks, a root computed from local data, or an early return on some ranks.`,
			Fix: `
Compare the call sites that the finding shows and find the branch that separates the ranks. Move the collective out of the
branch, or give the ranks of each branch their own communicator with MPI_Comm_split.`,
		}, true
	case NotModelled:
		return Doc{
			Title: "the program uses MPI functions that unknot does not model", Severity: Info, Since: Version01,
			Peers: []string{"ERROR_UNSUPPORTED", "INFO_UNIMPLEMENTED_FEATURE"},
			Means: `
The program called MPI functions whose effect on other ranks unknot does not know. The calls went through unchanged. They
are named and counted, so that you can judge what the rest of the report does not cover.`,
			Why: `
The function is newer than the standard that unknot knows, an extension of one MPI library, or concerns processes outside
of MPI_COMM_WORLD. A deadlock through such a call may go unreported. What unknot does report remains valid: it says
nothing about ranks whose state it cannot know.`,
			Fix: `
Nothing in the program is wrong. If you are debugging a hang, check the named calls by hand, or run a variant of the program
without them.`,
		}, true
	case OtherLauncher:
		return Doc{
			Title: "the launcher and the program belong to different MPI installations", Severity: Error,
			Since: Version01,
			Means: `
The launcher started several processes as one job, but the MPI library that they loaded did not recognise that launcher. So each process is alone:
rank 0 of a world of size 1. The processes all do the whole work and do not communicate.

The finding names the launcher, the program and the library with their paths. It is reported only if no process found itself in a
world of more than one rank.`,
			Why: `
The machine has several MPI installations, and the search path has the launcher of one while the program or Python module was
built with another: after a module was loaded, in a Conda environment, in a container, or in a script that calls mpiexec by its plain name.`,
			Fix: `
Use the launcher from the installation that the program was built with, by its full path if need be. Or build the program with the mpicc that belongs
to the launcher. For mpi4py, reinstall it with that mpicc: pip install --no-binary mpi4py --force-reinstall mpi4py.`,
		}, true
	case Stall:
		return Doc{
			Title: "no MPI call completes for long: where each rank is", Severity: Info, Since: Version01,
			Means: `
For the time that --stall sets, 60 s by default, no rank has completed an MPI call, and not all of them compute. The finding says where each rank
is: in which MPI call, called from where and for how long; or outside MPI, at which line, and what it does there: it runs, sleeps, waits for a
lock, a file, a pipe or another thread, or is stopped. Ranks in the same place are listed together, and the sentence names the rank that
the others wait for.

It is printed once for each standstill, while the job continues. It is information: nothing need be wrong, and it does not change the exit
status. What is certain to last forever is a deadlock or a livelock, and reported as one.`,
			Why: `
One rank computes, reads or writes a file, or waits for something outside of MPI, while the others wait for it. The wait may be a long one that
is meant to be, or one without end: for a file that nobody writes, a lock that another process holds, standard input, a thread that is gone, or
a rank that makes no MPI calls while others access its window.`,
			Fix: `
Look at the rank that is waited for. If it computes, the others have to wait, and the work may be distributed unevenly. If it waits itself, find
what should wake it. If a program is meant to be quiet for long, give it more time with --stall=D, or turn the report off with --stall=0.`,
		}, true
	case StalledInLibrary:
		return Doc{
			Title: "calls that match do not complete: the MPI library or the system, not the program", Severity: Info, Since: Version01,
			Means: `
For the time that --stall sets, 60 s by default, no rank has completed an MPI call, although calls that are in progress have all that they need:
a message and its receive, or all members of a collective. All ranks that take part are in MPI, have had processor time there, and had enough
time for the data. MPI has to complete such calls whatever else the program does. So the cause is the MPI library or what is below it: the
network, its driver, shared memory, the operating system.

The finding names these calls and what matches them; what each process does there (it spins, sleeps in a system call, waits for another thread);
the library, its parts for messages that are loaded, and the environment variables that choose among them. The confidence is high, or
medium where MPI may choose among messages, and of one-sided calls.

It is information: the job continues, and the exit status does not change. It is not reported where an error is known, where a rank that takes part
is outside MPI, which need not see to messages then, or where one is stopped by a signal or a debugger: stall says so instead.`,
			Why: `
A message is lost or never acknowledged by the network, a provider of libfabric or a transport of UCX; a copy between processes is not allowed
in a container; /dev/shm is full; the library has an error, often in threads or in a collective algorithm.`,
			Fix: `
Try what the hint names first: run the program with another path for messages. If it then completes, the program is fine, and the path or its
settings are at fault.

With Open MPI, use TCP alone, --mca pml ob1 --mca btl tcp,self (https://docs.open-mpi.org/en/v5.0.x/tuning-apps/networking/tcp.html; of version 4,
https://www.open-mpi.org/faq/?category=tcp), or shared memory without copies between processes, --mca btl_vader_single_copy_mechanism none
(https://www.open-mpi.org/faq/?category=sm). With UCX, choose its transports by UCX_TLS (https://openucx.readthedocs.io/en/master/faq.html). With
libfabric, choose its provider by FI_PROVIDER (https://ofiwg.github.io/libfabric/main/man/fabric.7.html). With MPICH, MPIR_CVAR_NOLOCAL=1 does without
shared memory: its releases have a file README.envvar (https://www.mpich.org/downloads/).

Reports go to https://github.com/open-mpi/ompi/issues, https://github.com/pmodels/mpich/issues, https://github.com/openucx/ucx/issues or
https://github.com/ofiwg/libfabric/issues. Developers need a small program: unknot reduce makes one of a trace,
or of what unknot dump has saved of a job that unknot record has started.`,
		}, true
	case Interrupted:
		return Doc{
			Title: "where each rank was when the run was ended from outside", Severity: Info, Since: Version01,
			Means: `
A signal to unknot ended the run: Ctrl-C, SIGTERM of a batch system, or a time limit. Before the signal is passed on, for 2 s at most, unknot looks
where each rank is: in which MPI call, called from where and for how long; or outside MPI, at which line, and what it does there. A rank that has
already ended is listed with its last call. A second signal ends the job at once, without that.

If a signal goes to the launcher or to the ranks instead, and all of them end by it, the same is said from what is known of each rank at its end:
the call that it was in, or the line outside MPI where the signal found it. Which rank others waited for is not said then.

With ` + "`unknot record`" + `, it says where the ranks of a job were that has ended with a status other than 0, by their records.

It is information: the run has not been watched to its end, and nothing need be wrong.`,
			Why: `
The job hangs or is slow, or its time is over.`,
			Fix: `
If the job seemed to hang, look at the rank that is waited for. If it runs outside MPI, the line says what it computes. If it sleeps, is stopped or
waits for a lock or a file, find what should wake it.`,
		}, true
	case ReplayDiverged:
		return Doc{
			Title: "a replay diverged from its plan", Severity: Info, Since: Version01,
			Means: `
The run was forced by a plan (unknot run --plan), which says which messages wildcard receives match, which sends are buffered, and what
calls like MPI_Waitany and MPI_Test report. The program did not do what the plan expects. Either a receive waits for a message from the source that the plan names, which never arrives, while one
from another rank is available that it could match without the plan; then the job was ended, because it would hang through no fault of
its own. Or a call could not report what the plan says, because it had no such request. Or a thread ended without making all the calls that
the plan names.

This is not an error of the program. The run neither confirms nor refutes the predicted error.`,
			Why: `
The program took another path than in the run from which the plan was made. Its control flow may depend on the matches that the
plan changes, on time, on random numbers, on the environment, or on the input. Or the plan was made by hand, for another
version of the program, or for another command line.`,
			Fix: `
Nothing in the program needs to be fixed. Start the program as it was started when the plan was made: the same binary, input and
environment. If the control flow depends on which messages are matched, make the plan from a run that took this path. A program whose
control flow depends on time or on random numbers cannot follow a plan.`,
		}, true
	}
	return Doc{}, false
}
