package finding

// Language is what the processes of a program communicate by.
type Language uint8

// The languages, in the order of the documents. MPI is C, C++, Fortran or Python with MPI; OpenSHMEM is C or C++ with
// it; the threads of UPC are ranks of an MPI program.
const (
	MPI Language = iota
	UPC
	OpenSHMEM
)

// Languages are all of them, in the order of the documents.
func Languages() []Language { return []Language{MPI, UPC, OpenSHMEM} }

// Terms are what reports know of a language: the codes that only its programs have, its words, and what is shown of its
// processes.
type Terms struct {
	// Codes are in the order of the documents; Explain has the words for them.
	Codes   []Code
	Explain func(Code) (Doc, bool)
	// Source is the extension of the programs that show the error and the repair.
	Source string

	// Process is what a process of the job is called, Processes are several, Heading is the word above a column of
	// them.
	Process, Processes, Heading string
	// Doing heads the column with what they are at.
	Doing string
	// Call and Calls say what is counted of a run: the calls of MPI. Library is whose they are.
	Call, Calls, Library string
	// Finished says of a process that it has come to its end, FinishedAt where that was: "in exit". JustFinished leaves
	// out where in the picture of who waits for whom.
	Finished, FinishedAt string
	JustFinished         bool
	// Table says that the processes of a finding are shown in one table, those at fault and the others; Columns are its
	// heads, and States the words in it.
	Table   bool
	Columns []string
	States  []StateWords
	// Busy says that nobody waits for a process that is running, so that it has no place in the picture of who waits
	// for whom.
	Busy bool
}

// StateWords are the words for a state of a process. If Call is set, they are for those in this call only; with Lock,
// for those that wait for a lock.
type StateWords struct {
	State, Call string
	Lock        bool
	Words       string
}

// IsRaceOfAccesses says that the finding is a race of two accesses of UPC threads to shared memory, where they can be
// made to meet. Races that a program's own checks report are about parts of files.
func (f *Finding) IsRaceOfAccesses() bool { return f.Code == UPCRace && f.Check == "" }

// IsRace says that it is such a race, or a conflict of two calls that the processes could be made to make at one
// moment.
func (f *Finding) IsRace() bool { return f.IsRaceOfAccesses() || f.Meeting != nil }

// Unwatched says that nothing is known of the program, as no process of it was watched.
func (run *Run) Unwatched() bool {
	return run.Ranks == 0 && !run.Complete && !run.Judged && run.Language == MPI && len(run.Findings) == 0
}

// Terms are those of the language.
func (l Language) Terms() Terms {
	switch l {
	case UPC:
		return upc()
	case OpenSHMEM:
		return shmem()
	}
	return mpi()
}

func mpi() Terms {
	return Terms{
		Codes: []Code{Deadlock, DeadlockLikely, DeadlockUnsafe, Livelock, RankDied, CollectiveMismatch, NotModelled,
			ReplayDiverged, OtherLauncher, Stall, StalledInLibrary, Interrupted},
		Explain: text, Source: "c",
		Process: "rank", Processes: "ranks", Heading: "Ranks", Doing: "Call", Call: "call", Calls: "calls",
		Library:  "MPI",
		Finished: "has finished", FinishedAt: "in",
	}
}

func upc() Terms {
	return Terms{
		Codes: []Code{UPCDeadlock, UPCSingleValued, UPCArgument, UPCOrder, UPCLock, UPCLivelock, UPCRace,
			UPCSuspicious, UPCError},
		Explain: textUPC, Source: "upc",
		Process: "thread", Processes: "threads", Heading: "Threads", Doing: "Operation", Call: "MPI call",
		Calls: "MPI calls", Library: "MPI",
		Finished: "has ended", FinishedAt: "ended:", JustFinished: true,
		Table: true, Columns: []string{"threads", "state", "operation", "place", "argument"},
		States: []StateWords{
			{State: "blocked", Lock: true, Words: "waiting for a lock"},
			{State: "blocked", Words: "waiting"},
			{State: "polling", Call: "upc_lock_attempt", Words: "polling a lock"},
			{State: "polling", Words: "spinning"},
			{State: "finished", Words: "ended"},
		},
		Busy: true,
	}
}

func shmem() Terms {
	return Terms{
		Codes:   []Code{SHMEMDeadlock, SHMEMCollective, SHMEMArgument, SHMEMOrder, SHMEMLock, SHMEMRace},
		Explain: textSHMEM, Source: "c",
		Process: "PE", Processes: "PEs", Heading: "PEs", Doing: "Call", Call: "call", Calls: "calls",
		Library:  "OpenSHMEM",
		Finished: "has finished", FinishedAt: "in",
	}
}
