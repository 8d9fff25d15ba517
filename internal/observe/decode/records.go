// Code generated from internal/observe/ring/records.tsv; DO NOT EDIT.

package decode

import (
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/op"
)

// Hello is a DataHello record: the first record of a process: who it is.
type Hello struct {
	// rank in MPI_COMM_WORLD
	Rank op.Rank
	// size of MPI_COMM_WORLD
	Size int
	// thread level provided
	Level int64
	// MPI_TAG_UB
	TagUB int64
	// the process is a Python interpreter
	Python bool
	// result of MPI_Get_library_version
	Library string
}

// ReadHello reads a DataHello record.
func ReadHello(v []uint64) Hello {
	w := words(v)
	return Hello{
		Rank:    op.Rank(int32(w.next())),
		Size:    int(int32(w.next())),
		Level:   w.number(),
		TagUB:   w.number(),
		Python:  w.next() != 0,
		Library: w.text(),
	}
}

// Unknown is a DataName record: a function of MPI that has no row in functions.tsv; before its first Enter
// record.
type Unknown struct {
	// number of the function, from mpi.FirstUnknown
	ID uint16
	// its name
	Name string
}

// ReadUnknown reads a DataName record.
func ReadUnknown(v []uint64) Unknown {
	w := words(v)
	return Unknown{
		ID:   uint16(w.next()),
		Name: w.text(),
	}
}

// Stack is a DataSite record: a call stack of Python; before the first record with the site.
type Stack struct {
	// number of the stack, with PythonSite
	Site uint64
	// its frames, innermost first
	Frames []Frame
}

// ReadStack reads a DataSite record.
func ReadStack(v []uint64) Stack {
	w := words(v)
	return Stack{
		Site:   w.next(),
		Frames: w.frames(),
	}
}

// Exception is a DataExcept record: an exception of Python that nothing caught.
type Exception struct {
	// its type
	Kind string
	// its message
	Text string
	// line in which it was raised
	Line int
	// source file
	File string
}

// ReadException reads a DataExcept record.
func ReadException(v []uint64) Exception {
	w := words(v)
	return Exception{
		Kind: w.text(),
		Text: w.text(),
		Line: int(w.next()),
		File: w.text(),
	}
}

// Thread is a DataThreadBegin record: a thread uses the ring of one that has ended.
type Thread struct {
	// index of the new thread
	Index op.Thread
	// its thread id
	TID int
}

// ReadThread reads a DataThreadBegin record.
func ReadThread(v []uint64) Thread {
	w := words(v)
	return Thread{
		Index: op.Thread(w.next()),
		TID:   int(w.next()),
	}
}

// Forced is a DataForced record: a plan chooses the source of the next call's receive from MPI_ANY_SOURCE.
type Forced struct {
	// position among the requests of MPI_Startall, otherwise 0
	Position int64
	// rank in the communicator
	Source int64
	// tag
	Tag int32
}

// ReadForced reads a DataForced record.
func ReadForced(v []uint64) Forced {
	w := words(v)
	return Forced{
		Position: w.number(),
		Source:   w.number(),
		Tag:      int32(w.next()),
	}
}

// Remade is a DataRemade record: a plan has created a persistent request again, for the next call.
type Remade struct {
	// old request
	From uint64
	// new request
	To uint64
}

// ReadRemade reads a DataRemade record.
func ReadRemade(v []uint64) Remade {
	w := words(v)
	return Remade{
		From: w.next(),
		To:   w.next(),
	}
}

// Unused is a DataUnused record: what the thread has done of its part of a plan; before its end or its
// MPI_Finalize, unless the plan was followed to its end.
type Unused struct {
	// receives made
	Receives uint64
	// receives that the plan decides beyond those
	Decided uint64
	// sends made
	Sends uint64
	// sends that the plan names beyond those
	Named uint64
	// calls made whose outcome a plan can choose
	Choices uint64
	// outcomes that the plan has beyond those, or that were impossible
	Unmet uint64
}

// ReadUnused reads a DataUnused record.
func ReadUnused(v []uint64) Unused {
	w := words(v)
	return Unused{
		Receives: w.next(),
		Decided:  w.next(),
		Sends:    w.next(),
		Named:    w.next(),
		Choices:  w.next(),
		Unmet:    w.next(),
	}
}

// Limits is a DataLimits record: what MPI said when it was initialised; the site is that of the call. Once a
// process.
type Limits struct {
	// MPI_TAG_UB
	TagUB int64
	// thread level that the program required; MPI_THREAD_SINGLE for MPI_Init
	Required int64
	// thread level provided
	Provided int64
	// the error handler of MPI_COMM_WORLD is a predefined one
	Predefined bool
	// function that initialised MPI, 0 if unknown
	Init uint16
}

// ReadLimits reads a DataLimits record.
func ReadLimits(v []uint64) Limits {
	w := words(v)
	return Limits{
		TagUB:      w.number(),
		Required:   w.number(),
		Provided:   w.number(),
		Predefined: w.next() != 0,
		Init:       uint16(w.next()),
	}
}

// Null is a DataNull record: the next call passes a null pointer where MPI reads or writes; C only.
type Null struct {
	// function of the call
	Func uint16
	// index of the parameter
	Param int
}

// ReadNull reads a DataNull record.
func ReadNull(v []uint64) Null {
	w := words(v)
	return Null{
		Func:  uint16(w.next()),
		Param: int(w.next()),
	}
}

// Error is a DataError record: what the error code of the next Exit record means.
type Error struct {
	// function of the call
	Func uint16
	// error class
	Class int64
	// result of MPI_Error_string
	Text string
}

// ReadError reads a DataError record.
func ReadError(v []uint64) Error {
	w := words(v)
	return Error{
		Func:  uint16(w.next()),
		Class: w.number(),
		Text:  w.text(),
	}
}

// Memory is a DataMemory record: the memory of a buffer of the next call.
type Memory struct {
	// index of the parameter
	Param int
	// what the memory is
	State ring.MemoryState
	// the block, or the part of the stack
	Range
	// return address of the call that freed it, or 0
	Freed uint64
}

// ReadMemory reads a DataMemory record.
func ReadMemory(v []uint64) Memory {
	w := words(v)
	return Memory{
		Param: int(w.next()),
		State: ring.MemoryState(w.next()),
		Range: w.span(),
		Freed: w.next(),
	}
}

// Freed is a DataFreed record: memory was freed since the last Enter record of any thread.
type Freed struct {
	// the memory
	Range
	// how it was freed
	How ring.FreedHow
	// return address of the call that freed it
	Site uint64
	// return addresses of the call stack from there on, if known
	Stack []uint64
}

// ReadFreed reads a DataFreed record.
func ReadFreed(v []uint64) Freed {
	w := words(v)
	return Freed{
		Range: w.span(),
		How:   ring.FreedHow(w.next()),
		Site:  w.next(),
		Stack: w.rest(),
	}
}

// Changed is a DataChanged record: the data of a pending send differs from what it was at the start; before the
// Exit record of the call that completes it.
type Changed struct {
	// function and site of the send
	Sent Site
	// function and site of the call that started it, if that is another one; otherwise 0
	Started Site
	// offset in bytes of the first difference
	Offset int64
	// bytes of the piece in which it is
	Length int64
	// bytes of data
	Bytes int64
	// the offset counts the data as if it were packed
	Gaps bool
	// first words of the Enter record of the send
	Words []uint64
}

// ReadChanged reads a DataChanged record.
func ReadChanged(v []uint64) Changed {
	w := words(v)
	return Changed{
		Sent:    w.site(),
		Started: w.site(),
		Offset:  w.number(),
		Length:  w.number(),
		Bytes:   w.number(),
		Gaps:    w.next() != 0,
		Words:   w.counted(),
	}
}

// Touched is a DataTouched record: the program itself accessed memory of a pending operation, or of another
// thread's blocking call, since the last Enter record of the thread.
type Touched struct {
	// first address
	At uint64
	// bytes
	Bytes int64
	// it was a store
	Store bool
	// where
	Site uint64
	// index of the thread, -1 if it has not called MPI
	Thread int64
	// 1 more than the index of the thread that is in a blocking call with the memory; 0 if it is a pending
	// operation's
	Inside int64
}

// ReadTouched reads a DataTouched record.
func ReadTouched(v []uint64) Touched {
	w := words(v)
	return Touched{
		At:     w.next(),
		Bytes:  w.number(),
		Store:  w.next() != 0,
		Site:   w.next(),
		Thread: w.number(),
		Inside: w.number(),
	}
}

// Shared is a DataShared record: a rank's part of the shared memory of the window that the last call created,
// if accesses are recorded.
type Shared struct {
	// window
	Win uint64
	// rank in the group of the window
	Member int
	// first address
	At uint64
	// bytes
	Bytes int64
}

// ReadShared reads a DataShared record.
func ReadShared(v []uint64) Shared {
	w := words(v)
	return Shared{
		Win:    w.next(),
		Member: int(w.next()),
		At:     w.next(),
		Bytes:  w.number(),
	}
}

// Accessed is a DataAccessed record: the program itself accessed memory of a window, since the last Enter
// record of the thread.
type Accessed struct {
	// lowest address
	At uint64
	// bytes of a run of consecutive ones
	Bytes int64
	// runs
	N int64
	// distance in bytes from one run to the next
	Stride int64
	// how it was accessed
	How ring.AccessHow
	// where
	Site uint64
	// index of the thread, -1 if it has not called MPI
	Thread int64
}

// ReadAccessed reads a DataAccessed record.
func ReadAccessed(v []uint64) Accessed {
	w := words(v)
	return Accessed{
		At:     w.next(),
		Bytes:  w.number(),
		N:      w.number(),
		Stride: w.number(),
		How:    ring.AccessHow(w.next()),
		Site:   w.next(),
		Thread: w.number(),
	}
}

// Known is a DataKnown record: an object was created, and committed, as it was before; how it is created has a
// number from now on. The site is that of the commit, if there is one.
type Known struct {
	// the number
	Number uint64
	// object
	Handle uint64
	// function that created it
	Func uint16
}

// ReadKnown reads a DataKnown record.
func ReadKnown(v []uint64) Known {
	w := words(v)
	return Known{
		Number: w.next(),
		Handle: w.next(),
		Func:   uint16(w.next()),
	}
}

// Again is a DataAgain record: an object was created, and committed, once more; no records are written of these
// calls. The site is that of the call that freed another one before.
type Again struct {
	// number of a Known record
	Number uint64
	// object of this kind that was freed before, or 0
	Freed uint64
	// function that freed it, or 0
	Func uint16
}

// ReadAgain reads a DataAgain record.
func ReadAgain(v []uint64) Again {
	w := words(v)
	return Again{
		Number: w.next(),
		Freed:  w.next(),
		Func:   uint16(w.next()),
	}
}

// Interaction is a DataInteraction record: what the process exchanged with others otherwise than by MPI; before
// its MPI_Finalize, if EnvHeed is set.
type Interaction struct {
	// what was done
	Kind ring.InteractionKind
	// the file has changed since the start of the run; the time or random number is not the machine's
	Changed bool
	// device of the file
	Dev uint64
	// its inode
	Ino uint64
	// where
	Site uint64
	// function of the C library
	Func string
	// path of the file
	Path string
}

// ReadInteraction reads a DataInteraction record.
func ReadInteraction(v []uint64) Interaction {
	w := words(v)
	return Interaction{
		Kind:    ring.InteractionKind(w.next()),
		Changed: w.next() != 0,
		Dev:     w.next(),
		Ino:     w.next(),
		Site:    w.next(),
		Func:    w.text(),
		Path:    w.text(),
	}
}

// Neighbours is a DataNeighbours record: the process's neighbours in a communicator with a distributed graph;
// follows its Comm record.
type Neighbours struct {
	// communicator
	Handle uint64
	// ranks in the communicator that it receives from
	Sources []int64
	// ranks in the communicator that it sends to
	Destinations []int64
}

// ReadNeighbours reads a DataNeighbours record.
func ReadNeighbours(v []uint64) Neighbours {
	w := words(v)
	return Neighbours{
		Handle:       w.next(),
		Sources:      w.list(),
		Destinations: w.list(),
	}
}

// Callers is a DataCallers record: the callers of a function that calls MPI; before the first site with the
// number in the ring.
type Callers struct {
	// the number
	Number uint64
	// return addresses, innermost first, up to main or as far as known
	PCs []uint64
}

// ReadCallers reads a DataCallers record.
func ReadCallers(v []uint64) Callers {
	w := words(v)
	return Callers{
		Number: w.next(),
		PCs:    w.addresses(),
	}
}

// Array is a DataArray record: an array of Python that the next call is passed.
type Array struct {
	// index of the parameter
	Param int
	// what the object is
	Kind ring.ArrayKind
	// its memory
	Range
	// the memory that it is a part of; 0 if unknown
	Whole Range
	// format of its elements in Python's buffer protocol; empty if unknown
	Format string
}

// ReadArray reads a DataArray record.
func ReadArray(v []uint64) Array {
	w := words(v)
	return Array{
		Param:  int(w.next()),
		Kind:   ring.ArrayKind(w.next()),
		Range:  w.span(),
		Whole:  w.span(),
		Format: w.text(),
	}
}

// Caught is a DataCaught record: an exception of Python that the process caught, or is handling, since its last
// call.
type Caught struct {
	// its type
	Kind string
	// its message
	Text string
	// frames without functions, innermost first
	Frames []Frame
}

// ReadCaught reads a DataCaught record.
func ReadCaught(v []uint64) Caught {
	w := words(v)
	return Caught{
		Kind:   w.text(),
		Text:   w.text(),
		Frames: w.lines(),
	}
}

// Order is a DataOrder record: what the thread certainly knows of the process's threads by what they do to each
// other otherwise than by MPI, if that is followed and has changed; before its next call.
type Order struct {
	// when the thread's last call returned, if that has no Exit record: the last stamp of any thread by then; 0 if
	// that is its own stamp, which goes without saying; all ones: this is not known of it and the calls that
	// follow, until another record says it
	Returned uint64
	// by thread, up to which of its turns, 0 for none; a turn ends when a thread hands something on; not one turn:
	// it is not known any more
	Turns []uint64
}

// ReadOrder reads a DataOrder record.
func ReadOrder(v []uint64) Order {
	w := words(v)
	return Order{
		Returned: w.next(),
		Turns:    w.rest(),
	}
}

// Unfollowed is a DataUnfollowed record: in which order the process's threads do things is not followed; before
// the first call.
type Unfollowed struct {
	// the function, or the library, by which the program may order them; empty: there were threads before MPI was
	// initialised
	By string
}

// ReadUnfollowed reads a DataUnfollowed record.
func ReadUnfollowed(v []uint64) Unfollowed {
	w := words(v)
	return Unfollowed{
		By: w.text(),
	}
}
