package layout

// Files of programs that record their accesses to shared memory, in the session directory.
const (
	RacesName    = "upc-races"  // is there if somebody reads the streams; programs record nothing without it
	StreamPrefix = "upc-race."  // and the id of a process: its Stream
	SitesPrefix  = "upc-sites." // and the id of a process: lines of JSON, the program's sites and shared objects
)

// Stream begins the file of a thread; after it come StreamRecords records, a ring. Positions count records and only
// grow. Each word has one writer; the thread writes Mark last when it makes the file.
type Stream struct {
	Mark    uint64 // StreamMark
	Job     uint64 // a number that the threads of a job share
	Thread  uint64
	Threads uint64
	PID     uint64
	// by the thread, if it ends before its time (OpenSHMEM only): DiedSignal or DiedExit, 8 bits; the signal or status,
	// 24 bits; who sent the signal, 32 bits
	Death   uint64
	DeathPC uint64 // where it was
	Nanos   uint64 // when, by CLOCK_MONOTONIC
	Written uint64 // by the thread: records up to here are there
	Closed  uint64 // by the thread: nothing more comes
	// by the thread, if it waits for a value in its own memory: how often it has found that it has to wait on
	// (OpenSHMEM only)
	Looks uint64
	Calls uint64 // by the thread: calls that it has made (OpenSHMEM only)
	_     [4]uint64
	Read  uint64 // by the reader: records up to here may be overwritten
	_     [7]uint64
}

// What ends a thread before its time.
const (
	DiedSignal = 1 + iota
	DiedExit
)

// MeetName is the file of a Meet in the session directory. A program that finds it there records nothing.
const MeetName = "upc-meet"

// MeetStacks is what the name of the file of a Meet has behind it for that with the call stacks of the threads that
// met.
const MeetStacks = "-stacks"

// MeetSites is the same for a copy of the program's file of sites.
const MeetSites = "-sites"

// Meet has two threads of a program meet at two sites that race (UPC-Thrille's second phase): the first that reaches
// one of them is held until another reaches the other one, and then the side that First names goes first. The reader
// writes the words up to End before the program begins, the program the others.
type Meet struct {
	Mark uint64 // MeetMark
	// 0: the thread at SiteA goes first, 1: that at SiteB; if both are one: 0: the lower thread, 1: the higher one
	First    uint64
	SiteA    uint64
	SiteB    uint64
	Owner    uint64
	Start    uint64 // in the owner's segment
	End      uint64
	State    uint64 // MeetFree and following
	Waiter   uint64 // who was held, and 1
	From     uint64 // what the waiter is about to access
	To       uint64
	AtB      uint64 // it is at SiteB
	Other    uint64 // who came then, and 1
	Ahead    uint64 // who went first, and 1
	Place    uint64 // of the values, in the owner's segment
	Bytes    uint64 // of each value, up to 8
	Before   uint64 // the values: before both accesses, between them, and after both
	Between  uint64
	After    uint64
	Held     uint64 // how often a thread was held
	Expired  uint64 // and how often nobody came
	ReachedA uint64 // how often threads reached the sites with that memory
	ReachedB uint64
	// a thread that reads the same again and again while another is held, and 1; its site, and what it reads
	SpinThread uint64
	SpinSite   uint64
	SpinOwner  uint64
	SpinOffset uint64
}

// States of a Meet.
const (
	MeetFree    = iota
	MeetClaimed // a thread is about to be held
	MeetHeld
	MeetMet     // another has come
	MeetDecided // who goes first is known
	MeetFirst   // the first access was made
	MeetBoth    // both were made
)

// MeetMark is the first word of a Meet.
const MeetMark = uint64(Version)<<versionShift | 0x7465656d6370 // "pcmeet"

// StreamRecords is how many records the ring of a stream holds.
const StreamRecords = 1 << 14

// StreamMark is the first word of a stream: what it is, in the low bytes, and the version above.
const (
	streamMagic = 0x736563617264 // "dracses"
	StreamMark  = uint64(Version)<<versionShift | streamMagic
)

// Record is what a thread has done: one access or several that belong together, or a step of synchronisation.
type Record struct {
	Kind   uint8
	Flags  uint8
	Owner  uint16 // the thread whose memory it is, or that has the lock
	Site   uint32 // SiteIndex of the program's sites, from 1; 0 if it is not known
	Offset uint64 // of the first byte in the owner's segment; of a barrier: its number
	Size   uint32 // bytes of an element
	Stride uint32 // bytes from one element to the next
	Count  uint64 // elements
	// how many tickets had been given out before, the thread's own included if the step takes one; of RecordedOp: the
	// operation
	Ticket uint64
	Value  uint64 // what a strict access read or wrote; of others the task that they belong to, or 0
}

// Flags of records.
const (
	// accesses with the same operation do not conflict: of one atomicity domain, or of one collective call
	RecordedOp     = 1 << iota
	RecordedAtomic // it is an operation of an atomicity domain
	RecordedAll    // of RecordAlloc: each thread has such a block
	RecordedPart   // of RecordUnlock: accesses since the lock was taken may not have been recorded
)

// Recorded is Record in C.
const Recorded = `
struct upcr_record { unsigned char kind, flags; unsigned short owner; unsigned site; unsigned long offset; unsigned size, stride; unsigned long count, ticket, value; };
_Static_assert(sizeof(struct upcr_record) == 48, "as the reader has it");
`

// Kinds of records.
const (
	RecordRead  = 1 + iota // relaxed
	RecordWrite            // relaxed
	RecordStrictRead
	RecordStrictWrite // takes a ticket, before the write
	RecordNotify
	RecordWait
	RecordLock
	RecordUnlock // takes a ticket, before the lock is given back
	RecordAlloc
	RecordFree  // takes a ticket, before the memory is given back
	RecordBegin // of a task: accesses that go on beside the thread
	RecordJoin  // of a task: they are over
	RecordShow  // a strict atomic operation is about to be made, of the same place; takes a ticket
	RecordSee   // a strict atomic operation was made
	RecordEnter // a collective function that need not synchronise; Offset is its number
	RecordLeave // it, after Owner has entered, or all if that is Everybody
)

// Everybody stands for all threads in RecordLeave.
const Everybody = 1<<16 - 1

// SiteText is a line of the file of sites: a place where a program accesses shared memory, or a shared object.
type SiteText struct {
	Layout   uint64 `json:"layout"`
	Site     uint32 `json:"site,omitempty"` // of a place: its number
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Function string `json:"function,omitempty"`
	Text     string `json:"text,omitempty"` // the expression or call
	Object   string `json:"object,omitempty"`
	Offset   uint64 `json:"offset,omitempty"` // of an object: in each thread's segment
	Bytes    uint64 `json:"bytes,omitempty"`  // of an object: of one thread
	Size     uint64 `json:"size,omitempty"`   // of an object: bytes of an element
	Block    uint64 `json:"block,omitempty"`  // of an object: elements of a block, 0 if all are on thread 0
	Shape    string `json:"shape,omitempty"`  // of an object: its inner dimensions, as [3][4]
}
