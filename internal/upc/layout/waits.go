package layout

// Waits is the file of a thread: what it waits for, once it has waited for a while. A thread that waits has an odd
// turn, and its words do not change before the turn does, except for Looks. All words are written by the thread,
// atomically, and Mark last when the file is made.
type Waits struct {
	Mark    uint64 // WaitsMark
	Job     uint64 // a number that the threads of a job share
	Thread  uint64
	Threads uint64
	PID     uint64
	Turn    uint64
	Looks   uint64 // how often it has found since then that it has to wait on
	Kind    WaitKind
	Waited  uint64 // 1 and the thread that is waited for, or 0
	Number  uint64 // of the barrier or exchange
	Frames  uint64 // of Stack that are in use
	Stack   [53]uint64
}

// The word that a file of waits begins with: what it is, in the low bytes, and the version above.
const (
	waitsMagic   = 0x737469617763 // "cwaits"
	versionShift = 48
	WaitsMark    = uint64(Version)<<versionShift | waitsMagic
)

// WaitsVersion is the version of a file that begins with this word; ok is false if it is no file of waits, or not made
// yet.
func WaitsVersion(mark uint64) (version uint64, ok bool) {
	return mark >> versionShift, mark&(1<<versionShift-1) == waitsMagic
}

// WaitKind is what a thread waits in.
type WaitKind uint64

// What threads wait in.
const (
	AtBarrier WaitKind = 1 + iota
	AtEnd
	AtLock
	AtExchange
)
