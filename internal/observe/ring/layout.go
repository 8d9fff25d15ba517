// Package ring owns the shared memory between a rank's probe and its agent: the layout, defined here once (the C header
// is generated from it by Header), and the reader.
//
// A ring is a single-producer single-consumer queue of slots in a file of the session directory, one per MPI-calling
// thread. The producer is the thread; it writes a record, then publishes Head. The consumer is the agent; it reads up
// to Head, then publishes Tail. Positions count slots from 0 and never wrap; a position's slot is pos & (Slots-1). The
// C side maps the data area twice in a row, so that records are contiguous for it; the Go side copies a record that
// crosses the end.
package ring

import (
	_ "embed" // records.h
	"math"
	"structs"
)

// Version is the revision of everything in this file. It rises with any change of layout or meaning; both sides refuse
// a peer that differs, naming both values. Records is that of the records alone, as they are read, which are kept as
// tapes too.
const (
	Version = 13
	Records = 8
)

// Magic is the first word of a ring file and of the control file.
const Magic uint64 = 0x31746f6e6b6e75 // "unknot1"

// Sizes in bytes.
const (
	SlotSize     = 64
	HeaderSize   = 4096 // one page before the slots
	DefaultSlots = 1 << 14
	WordsFirst   = 6   // words in a record's first slot, after its 16-byte header
	WordsNext    = 8   // words in each further slot
	MaxSlots     = 255 // slots in one record; longer calls go on in Part records
	MinSlots     = 512 // smallest capacity of a ring, so that the largest record fits
)

// A ring is made only if at least 1/ReserveShare of the file system, but not more than ReserveMost bytes, stay free:
// the program needs memory too.
const (
	ReserveShare = 4
	ReserveMost  = 256 << 20
)

// FoldAhead bounds the records that were counted and not written, and that the reader has not restored.
const FoldAhead = 1 << 16

// FoldLeast is how many slots must have repeated those a period before, before records are counted.
const FoldLeast = 192

//go:generate go run ./records/generate

// recordsHeader is the part of the C header about single records.
//
//go:embed records.h
var recordsHeader string

// Kind says what a record is. Enter and Exit carry the words that mpi derives from a function's row; records.tsv has
// the words of all others.
type Kind uint8

// DataID says what a Data record holds.
type DataID uint16

// Bits of the kind of a communicator in a DataComm record.
const (
	CommInter = 1 << iota // an inter-communicator
	CommFirst             // the local ranks are the first of the world in order, and only counted
)

// The number of what DataCallers tells of stands in a site above the return address, which takes so many bits. It is 0
// if nothing is known of them.
const (
	CallersShift = 48
	CallersMost  = 1<<15 - 1
)

// Address is the return address in a site that is not Python's.
func Address(site uint64) uint64 { return site & (1<<CallersShift - 1) }

// Callers is the number of the callers in a site, 0 if it has none.
func Callers(site uint64) uint64 {
	if site&PythonSite != 0 {
		return 0
	}
	return site >> CallersShift
}

// Place is a site without its callers: calls of one place of the program are equal in it, whatever has led there.
func Place(site uint64) uint64 {
	if site&PythonSite != 0 {
		return site
	}
	return Address(site)
}

// PythonSite marks a record's site as an interned Python stack (see DataSite) rather than a return address.
const PythonSite uint64 = 1 << 63

// RecordHeader begins every record. Written by the producer before Head is published; read only after.
type RecordHeader struct {
	_     structs.HostLayout
	Func  uint16 // mpi function id, or DataID
	Kind  Kind
	Slots uint8 // slots of this record, 1..MaxSlots
	// order within the process: increases by one for each record other than Part of any of its threads (wraps)
	Stamp uint32
	// Enter, DataJoin, DataThread: return address in the user's code with (Enter) the number of its callers above it,
	// or (Enter) PythonSite|n. DataKnown, DataAgain: as they say. Exit: the call's return code. Part, other Data: 0.
	Site uint64
}

// RingHeader is the first page of a ring file. Each group of fields stands on cache lines of its own; the comment says
// who writes it. All positions and flags are accessed atomically.
type RingHeader struct {
	_ structs.HostLayout
	// Written once by the producer before the file gets its final name.
	Magic   uint64
	Version uint32
	Slots   uint32 // capacity, a power of two
	PID     uint32
	TID     uint32 // of the thread that the ring was made for
	Thread  uint32 // its index in its process, 0 for the one that initialised MPI
	Job     uint32 // the number of the process's job, if its launcher is Open MPI's before release 5; else 0
	_       [32]byte
	// 64: written by the producer.
	Head     uint64
	Returned uint32 // stamp of the Enter record whose call returned last without an Exit record
	_        uint32
	Polls    uint64 // repetitions of the last Enter record's unsuccessful poll that were not recorded
	Left     uint32 // 1 once the producer writes no more although its thread continues
	_        uint32
	Folded   uint64 // records so far that were counted and not written: see Fold
	// Records so far that are, or may be, those of a block that equals the one before it, and of these the ones that
	// were left out, as they are (csrc/writer/echo.c).
	EchoesSeen, EchoesLeft uint64
	// calls so far of which no record was written, as they tell nothing that is not known, or not yet
	// (csrc/writer/again.c)
	Untold uint64
	// 128: written by the consumer.
	Tail     uint64
	Reader   uint32 // whether anybody reads the ring: see below
	_        uint32
	Unfolded uint64 // of the records that Folded counts, those that were read
	_        [40]byte
	// 192: futex word: 1 while the producer sleeps for room. Producer sets, consumer clears and wakes.
	Waiting uint32
	_       [60]byte
	// 256: written by the producer's process when it ends; see Death.
	Death Death
	Fault Fault
	_     [128 - 80]byte
	// 384: on-demand call stack. The consumer stores StackAsk+1 and signals the thread; the producer's signal handler
	// fills Stack and then sets StackDone = StackAsk.
	StackAsk  uint32
	StackDone uint32
	StackN    uint32
	// StackReady is 1 once the handler is installed; before that the signal would end the process.
	StackReady uint32
	// Alarmed is 1, in the ring of the thread that initialised MPI, once the program has its own handler for
	// SIGALRM.
	Alarmed uint32
	_       [44]byte
	Stack   [256]uint64 // return addresses, innermost first
	// 2496: thread ids of the threads that the program started and that run, in the ring of the thread that initialised
	// MPI; 0 is free. Each thread writes its own, in place of Starting, which its creator has put there. UsersLost is 1
	// once there was no room for one.
	Users     [128]uint32
	UsersLost uint32
	// 3012: written by the producer's process when it ends, or may be about to: the call stack of the thread that does,
	// innermost first, how many addresses of it there are, and what was said of the end, as SaidHow says.
	EndN    uint32
	SaidHow uint32
	_       uint32
	End     [64]uint64
	Said    [512]byte
}

// Values of RingHeader.Reader. A producer whose ring has not been opened yet looks at it every LookAfter slots. Of a
// ring that is unread it writes no more, even if it sleeps for room in it. A process whose first ring is unread makes
// no others.
const (
	ReaderNone   uint32 = iota // the ring has not been found yet
	ReaderThere                // the consumer has opened it
	ReaderUnread               // nobody is going to read it
	LookAfter    = 64
)

// Starting stands among RingHeader.Users for a thread that has not begun to run.
const Starting = math.MaxUint32

// Death is what a dying process leaves behind. Cause is written last.
type Death struct {
	_      structs.HostLayout
	Cause  uint32 // DeathCause
	Code   int32  // exit status, signal number, or the code given to MPI_Abort
	Sender int32  // pid that sent the signal, 0 if the kernel or unknown
	Thread uint32 // index of the thread that died
	Addr   uint64 // program counter at a signal
	Nanos  uint64 // CLOCK_MONOTONIC
	// 1 once MPI_Finalize returned, or a process without it ended with no session open; BetweenSessions while none is
	Final uint32
	_     uint32
}

// NoThread is Death.Thread if a thread ended the process that has not called MPI.
const NoThread = math.MaxUint32

// Fault is the last signal that could end the process, while it is not known yet whether it does: the program handles
// it. State is written last.
type Fault struct {
	_      structs.HostLayout
	State  uint32 // FaultNone and so on
	Signal int32
	Sender int32  // as in Death
	Thread uint32 // as in Death
	TID    uint32
	Stamp  uint32 // of the last record of the thread then
	Addr   uint64 // program counter
	Nanos  uint64 // CLOCK_MONOTONIC
}

// Values of Fault.State.
const (
	FaultNone   uint32 = iota
	FaultInside        // the program's handler has not returned
	FaultPast          // it has: the process continues, or is about to end in another way
)

// What RingHeader.Said is.
const (
	SaidNothing uint32 = iota
	SaidMessage        // the C library's, of an abort
	SaidRuntime        // of the Fortran runtime
	// the name of the type of a C++ exception as the linker knows it, and after a NUL what it says, if that is known
	SaidException
)

// BetweenSessions is Death.Final while a process that MPI was initialised in by sessions alone has none open: if it
// ends, it has left MPI.
const BetweenSessions = 2

// Causes of death, in Death.Cause. DeathNone with a vanished process means it was killed without a chance to tell.
const (
	DeathNone uint32 = iota
	DeathExit
	DeathSignal
	DeathAbort
)

// Control is the file "control" of the session directory, one page. The agent creates it before the job starts.
type Control struct {
	_        structs.HostLayout
	Magic    uint64
	Version  uint32
	Slots    uint32 // ring capacity that new rings shall have
	AgentPID uint32
	State    uint32 // written by the agent's side: 1 watching, 2 the agent is gone: step aside
	Rings    uint32 // incremented by the probe after it has renamed a ring into place
	Failed   uint32 // incremented by the probe when it could not create a ring
	Errno    uint32 // the reason of the last failure
	Wrong    uint32 // set to 1 by a probe that finds itself in a program of another MPI library
	// how closely the data of sends is looked at for changes, see SentNot; written before the job starts
	Sent   uint32
	Unread uint32 // incremented by the agent when it could neither open a ring nor mark it as unread
	// records that repeat are counted, once so many slots have repeated those a period before; 0: all are written. Set
	// before the job starts
	Fold uint32
	Bell uint32 // incremented by the probe, who wakes who sleeps on it (futex), when a ring is new or half full
	// by how many thousandths of its time without a program may take longer as its accesses to windows are noted; 0: no
	// bound. Set before the job starts
	Slowdown uint32
	// 1: blocks of records that repeat at once, as where a program spins, are not left out (csrc/writer/echo.c). Set
	// before the job starts
	EachSpin uint32
	// AgentStart is when AgentPID was started, in clock ticks since the machine was (proc(5)): a process id may be
	// another's later. 0: not known.
	AgentStart uint64
	Loaded     [1024]byte // the path of that library, by the probe that set Wrong
	// Processes that a launcher has started as part of a job, and whose MPI library does not know that: how many have
	// said so, how many the launcher says that there are, and of the first one what shows it, whose launcher that is,
	// and the files of all three.
	Alone         uint32
	AloneSize     uint32
	AloneBy       uint32
	AloneEvidence uint32
	AloneLibrary  [512]byte
	AloneProgram  [512]byte
	AloneLauncher [512]byte
}

// Values of Control.AloneBy.
const (
	AloneByOpenMPI = 1
	AloneByHydra   = 2
)

// Values of Control.AloneEvidence.
const (
	AloneLoaded      = 1 // the process has loaded the library, which is another one than the probe's
	AloneInitialised = 2 // it has also called MPI_Init
	AloneCounted     = 3 // it has asked for the size of MPI_COMM_WORLD, which is 1
)

// Values of Control.Sent, which are those of csrc/objects/sent.h.
const (
	SentNot  = 0
	SentSome = 1 // short data, and samples of other
	SentMore = 2 // more of it, at a price
	// Beside that, the program's own accesses are looked at, if it was compiled for that.
	SentMarks   = 4  // to what operations use
	SentWindows = 8  // to windows, too
	SentAll     = 16 // to these all, instead of some
	// It is recorded that memory is freed that a pending operation uses.
	SentLent = 32
)

// Values of Control.State.
const (
	StateWatching = 1
	StateGone     = 2
)

// Names in the session directory. A ring is created as "tmp.PID.TID" and renamed to "ring.PID.TID" when complete.
const (
	ControlName = "control"
	RingPrefix  = "ring."
	TempPrefix  = "tmp."
	// A process that calls MPI before its initialisation or after its end says so in "outside.PID", a line for each of
	// the first calls: "before", "after", (a further initialisation) "again" or (MPI_Finalize in two threads) "beside";
	// function id; function name; return address; rank in MPI_COMM_WORLD or -1; site of MPI_Finalize or 0; the return
	// addresses of its callers. After one of a script in Python there are lines with its call stack: "at", line,
	// function, file. "outside.PID.maps" is a copy of its /proc/self/maps.
	OutsidePrefix = "outside."
	MapsSuffix    = ".maps"
	// JoinedName is there in the session of another host than the supervisor's, where nobody but the agent and the
	// ranks can remove it.
	JoinedName = "joined"
	// EnvSession names the session directory to the probe.
	EnvSession = "UNKNOT_SESSION"
	// EnvPlan names the file of a plan (package plan) that the probe forces on the run; empty or not set if there is
	// none.
	EnvPlan = "UNKNOT_PLAN"
	// EnvHeed has, in a run that an exploration makes, the moment at which it was begun in nanoseconds since 1970, a
	// colon, and the number of other clocks that the program shall see, 0 for those of the machine.
	EnvHeed = "UNKNOT_HEED"
	// ClockName is a file of the session directory whose age ranks agree on.
	ClockName = "clock"
	// EnvAgent names the unknot with which a rank starts the agent of a host that has no session; empty or not set if
	// there is to be none.
	EnvAgent = "UNKNOT_AGENT"
	// EnvLink has what such an agent needs to join: the key of the job's links, @, and addresses of the supervisor's
	// host with commas between.
	EnvLink = "UNKNOT_LINK"
)

// StackSignal is the real-time signal that asks a thread for its call stack: SIGRTMAX-StackSignalBelowMax.
const StackSignalBelowMax = 3
