// Package layout owns what the probe of OpenSHMEM programs, in C, shares with unknot in Go: the files of a session in
// which the processing elements (PEs) of a job record what they do. The stream of a PE and its records are those of
// package upc/layout; what they mean here is said here, once, and Header makes the C header of it.
//
// Each record takes a ticket of its job, so all records have one order in which they can have happened: a step that
// others may see takes its ticket before it is made, a step that sees others after it was made.
//
// References are to OpenSHMEM 1.4 (openshmem.org, December 2017).
package layout

import (
	"fmt"

	upc "unknot/internal/upc/layout"
)

// Files in the session directory.
const (
	// is there if somebody reads: programs record nothing without it. It says which of their own accesses are looked at
	// (MarkText)
	MarkName   = "shmem"
	JobPrefix  = "shmem-job."  // and a number that the PEs of a job share, in hexadecimal: a Job
	PEPrefix   = "shmem-pe."   // and the id of a process: an upc/layout.Stream and its ring of records
	MapsPrefix = "shmem-maps." // and the id of a process: what /proc/PID/maps said
)

// Version is the revision of these files and of the meaning of records.
const Version = 4

// Job is the file that the PEs of a job have in common. It is made by whoever comes first, and all words are 0 then.
type Job struct {
	Mark    uint64 // JobMark, once it is made
	_       [7]uint64
	Tickets uint64 // that were given out
	_       [7]uint64
	// Entered counts who has entered a collective call, by the set and the number of the call (EnteredSlots): who finds
	// 0 is the first. Calls that come later and have the same place there as another one find more.
	Entered [EnteredSlots]uint32
	Sites   [MostSites]Site
}

// EnteredSlots is how many places Entered has.
const EnteredSlots = 1 << 12

// JobMark is the first word of a Job.
const JobMark = uint64(Version)<<48 | 0x6d6568736b75 // "ukshem"

// MostSites is how many places of a program are distinguished. A record of a further one has no site.
const MostSites = 1 << 14

// NameBytes is the room for the name of a function, with the zero byte at its end.
const NameBytes = 48

// Site is a place where a program calls a function of OpenSHMEM. Its number is its index and 1.
type Site struct {
	Key  uint64 // 0 if the entry is free; written first
	PC   uint64 // return address of the call, in the process PID, whose maps are in its file
	PID  uint64
	Done uint64 // 1 when all else is written
	Name [NameBytes]byte
}

// Where the memory of a PE is in records. The n-th block that was allocated, from 1, begins at n<<BlockBits, so a block
// has the same offset on all PEs. The variables of the module whose base name has the hash h begin at StaticBase +
// h<<ModuleBits, at the address at which the module was loaded.
const (
	BlockBits  = 36
	StaticBase = uint64(1) << 62
	ModuleBits = 40
	HashBits   = 21 // of the hash (FNV-1a, 32 bits) of the base name

	PrivateBase = StaticBase + 1<<(ModuleBits+HashBits)
)

// Record is a record of a PE. Owner is the PE whose memory it is, or 0; Site is where the program called the function;
// Ticket is its place in the order of all.
type Record = upc.Record

// Kinds of records, and what their fields say.
const (
	// Read, Write, AtomicRead and Atomic are accesses: Count elements of Size bytes, Stride bytes from one to the next,
	// from Offset on in Owner's memory. Flags says more; Value is the number of the context, 0 for the default one. Of
	// a Read or AtomicRead that is not Pending, and of the Write of what it gives, which are recorded when the call is
	// over, it is how many tickets had been given out when the call was begun.
	Read = 1 + iota
	Write
	AtomicRead
	Atomic
	// Quiet: what was issued on the context Value is complete (9.10.2). Fence: it is ordered before what follows to the
	// same PE (9.10.1).
	Quiet
	Fence
	// Enter and Leave are the beginning and the end of a call that is collective over an active set: Value is a Set,
	// Offset the number of the call among those of this PE on this set, from 1, Flags a Collective, Owner the root's
	// number as a PE, Count the elements, Size the bytes of an element. If Flags is that of an allocation, Count has
	// its bytes; Stride is a number that stands for the function's name.
	Enter
	Leave
	// Waits: the PE begins to wait for a value in its memory at Offset, of Size bytes: Flags is the comparison
	// (SHMEM_CMP_EQ and following, from 0), Value the value to compare with (shmem_wait_until, 9.9). Sees: it has read
	// what is at Offset in Owner's memory, and so knows what those who have written it had done: at the end of a wait,
	// of shmem_test that succeeds, or of an atomic operation that fetches.
	Waits
	Sees
	// Locking: the PE begins to wait for the lock at Offset; Locked: it has it, also by shmem_test_lock; Unlock: it
	// gives it back (9.11).
	Locking
	Locked
	Unlock
	// Alloc: the block of Count bytes from Offset on is there, on all PEs. Free: it is given back.
	Alloc
	Free
	// Wrong: a call whose arguments or moment are not allowed. Flags is a Mistake. What the other fields are is said
	// with that.
	Wrong
	// End: the PE has left shmem_finalize.
	End
	// Direct: the PE has got an address at which it can load from and store to the memory of Owner (shmem_ptr, 9.3).
	// Flags says whether that is seen (ReachSeen).
	Direct
	// Threads: other threads of the PE's process may do something, too: Size is the thread level, above
	// SHMEM_THREAD_SINGLE (9.2).
	Threads
	// Own: the PE has accessed memory itself, by loads or stores, at some time since its last record that is neither
	// this nor Direct: Count elements of Size bytes, Stride bytes from one to the next, from Offset on in Owner's
	// memory, its own or that of a PE whose address it has. Site is where. Flags says more.
	Own
	// External: since its last call the PE may have heard of others by other ways than the library's, such as a file.
	External
)

// Flags of Own.
const (
	OwnStore  = 1 << iota // else it is a load
	OwnOrders             // it is atomic or volatile: what others do may be ordered by it
	OwnVague              // whether it is, is not known, or others that are may have been missed before
	OwnSparse             // more may have been accessed near by
	// since its last call the PE has made an atomic or volatile store: others that have read its memory since may know
	// what it had done before
	OwnShown
)

// ReachSeen is a flag of Direct: what the PE loads and stores there is recorded (Own).
const ReachSeen = 1

// MarkText is what the file MarkName says: which of the program's own accesses are looked at ("off", "buffers", "all",
// or anything else for the usual ones), and by how many thousandths that may slow it down, 0 for no bound.
func MarkText(accesses string, slowdown uint32) string {
	if accesses == "" {
		accesses = "sampled"
	}
	return fmt.Sprintf("%s %d", accesses, slowdown)
}

// Flags of accesses.
const (
	Pending = 1 << iota // until the next Quiet of its context; else it is over when the call returns
	// it is a put or an atomic operation on remote memory: fences order it, and others may wait for what it writes
	Put
	Fetch // an atomic operation that gives the old value
	Real  // an atomic operation on a floating-point number
	// made by the collective call that the PE is in, by whichever of its members: those of one call do not conflict
	Part = 1 << 6
)

// Set is an active set: the first PE, the logarithm of the stride, and how many they are.
type Set uint64

// NewSet makes one.
func NewSet(start, logStride, size int) Set { return Set(start)<<32 | Set(logStride)<<24 | Set(size) }

// Parts are its parts. A Set has PEs up to 2^24 − 1.
func (s Set) Parts() (start, logStride, size int) {
	return int(s >> 32), int(s >> 24 & 0xff), int(s & (1<<24 - 1))
}

// Has says whether a PE is a member.
func (s Set) Has(pe int) bool {
	start, stride, size := s.Parts()
	n := pe - start
	return n >= 0 && n&(1<<stride-1) == 0 && n>>stride < size
}

// Collective is a collective function, as far as it matters what others do in it.
type Collective uint8

// The collectives.
const (
	BarrierAll Collective = 1 + iota
	SyncAll
	Barrier
	Sync
	Broadcast
	Collect
	FCollect
	Reduce
	AllToAll
	AllToAllS
	AllocateCall // shmem_malloc and others: all PEs call it, with the same size
	FreeCall
	FinalizeCall
)

// Mistake is what is wrong with a call. Each is recorded before the call is made; nothing else is recorded of a call
// with a mistake that makes its meaning unclear.
type Mistake uint8

// Mistakes, and what the fields of the record say.
const (
	// Offset: the PE that the argument names, as a signed number; Count: how many there are
	WrongPE      Mistake = 1 + iota
	NotSymmetric         // Offset: the address; Size: which argument (Argument)
	FreedMemory          // the same, of a block that was freed; Value: the site of shmem_free
	// Offset: where the access begins, as accesses have it; Count: its bytes; Value: bytes of what is there from Offset
	// on; Size: which argument
	OutOfBounds
	NullPointer  // Size: which argument
	WrongStride  // Offset: the stride, as a signed number; Size: which argument
	WrongCompare // Offset: the comparison, as a signed number
	WrongSet     // Offset: PE_start, Count: logPE_stride, Value: PE_size, as signed numbers
	NotInSet     // the same; the PE is no member
	WrongRoot    // Offset: the root, as a signed number; Count: PE_size
	Overlap      // source and target overlap; Count: the bytes of each
	// pSync has another value than SHMEM_SYNC_VALUE; Offset: the index, Value: the value
	WrongSync
	// shmem_clear_lock of a lock that the PE does not hold. Offset: the lock, as accesses have it
	NotHeld
	HeldAlready // shmem_set_lock of a lock that it holds; Value: the site where it was taken
	HeldAtEnd   // at shmem_finalize; Value: the site where it was taken, Offset: the lock
	// shmem_free or shmem_realloc of what shmem_malloc has not given; Offset: the address
	NotABlock
	FreedTwice     // Offset: the address; Value: the site of the first shmem_free
	BeforeInit     // the call is made before shmem_init
	AfterFinalize  // … after shmem_finalize
	InitTwice      // shmem_init, once more
	WrongContext   // a context that was destroyed, or never made
	DefaultContext // shmem_ctx_destroy of SHMEM_CTX_DEFAULT
	// Offset: the thread level; the call, which is made all the same, is by another thread than the one that has called
	// shmem_init, or at the same time as one of another thread
	WrongThread
	WrongLevel // shmem_init_thread; Offset: the level that is asked for, as a signed number
	// an atomic operation, a lock or a value that is waited for; Offset: the address; Count: the alignment that it
	// needs
	Misaligned
	WrongSize // more elements than memory can have; Count: the elements
	// Offset: 0 if the call is by another thread than the one that has made its context, which is private; 1 if it is at
	// the same time as one of another thread with this context, which is serialized. It is made all the same.
	ContextThread
)

// Argument is which argument of a function a mistake is about.
type Argument uint32

// The arguments, by the names that the specification has for them.
const (
	ArgTarget Argument = 1 + iota // dest
	ArgSource
	ArgSync // pSync
	ArgWork // pWrk
	ArgLock
	ArgIvar         // of shmem_wait_until and shmem_test
	ArgPtr          // of shmem_free
	ArgTargetStride // dst
	ArgSourceStride // sst
	ArgCtx
)
