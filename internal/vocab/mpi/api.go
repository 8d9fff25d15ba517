// Package mpi is the semantic table of MPI: for each function, what its parameters are and what the call does to the
// run. The C wrappers (package probe) and the decoder of records (package agent) are both derived from it, so that what
// one writes the other reads.
//
// The table (functions.tsv) is written in the terms of the MPI-4.0 standard and is the same for every MPI library. The
// prototypes come from the user's own mpi.h at build time; a function that is declared there but has no row is passed
// through, counted and named.
package mpi

import "unknot/internal/vocab/op"

// FirstUnknown is the first function id of functions without a row; they are numbered from here in the order in which
// mpi.h declares them, and named in DataName records.
const FirstUnknown = 2000

// Class says what a call does, as far as blocking, matching and objects are concerned.
type Class uint8

// Classes. "collective" here means ordered on a communicator, window or file with the calls of all its members.
const (
	Local         Class = iota // always returns; changes nothing that we track
	Init                       // MPI_Init, MPI_Init_thread
	Finalize                   // MPI_Finalize
	Abort                      // MPI_Abort
	Send                       // blocking send; Mode
	Recv                       // blocking receive
	Sendrecv                   // MPI_Sendrecv, MPI_Sendrecv_replace
	Isend                      // non-blocking send; Mode
	Irecv                      //
	Isendrecv                  // MPI_Isendrecv, MPI_Isendrecv_replace (4.0)
	SendInit                   // persistent send; Mode
	RecvInit                   //
	PsendInit                  // partitioned (4.0)
	PrecvInit                  //
	Start                      //
	Startall                   //
	Pready                     // MPI_Pready
	PreadyRange                //
	PreadyList                 //
	Parrived                   // a poll
	Probe                      //
	Iprobe                     // a poll
	Mprobe                     //
	Improbe                    // a poll
	Mrecv                      //
	Imrecv                     //
	Wait                       //
	Waitall                    //
	Waitany                    //
	Waitsome                   //
	Test                       // a poll
	Testall                    // a poll
	Testany                    // a poll
	Testsome                   // a poll
	GetStatus                  // MPI_Request_get_status: a poll that frees nothing
	GetStatusAll               // the same of several requests (4.1): a poll for all of them
	GetStatusAny               // … for one of them
	GetStatusSome              // … for those that are complete
	Cancel                     //
	RequestFree                //
	Coll                       // collective on a communicator; Sync, and Nonblocking or Persistent
	CommCreate                 // collective that makes a communicator (Sync = SyncAll), possibly Nonblocking
	// collective over a group with a tag only (MPI_Comm_create_group, MPI_Comm_create_from_group)
	CommCreateGroup
	IntercommCreate // MPI_Intercomm_create
	CommFree        // MPI_Comm_free, MPI_Comm_disconnect
	CommSetName     //
	WinCreate       // collective on a communicator that makes a window
	WinColl         // collective on a window: fence, free
	WinPost         //
	WinStart        //
	WinComplete     //
	WinWait         //
	WinTest         // a poll
	WinLock         // Win_lock; Win_lock_all has no rank
	WinUnlock       //
	WinFlush        // flush, flush_all; the _local forms are Opaque
	Rma             // put, get, accumulate…: returns at once
	Rrma            // request-based ones: make a request that is always served
	FileOpen        // collective on a communicator that makes a file
	FileColl        // collective on a file: close, *_all, *_ordered, set_view, set_size, …
	FileReq         // non-blocking, independent file operation: makes a request that is always served
	FileIcoll       // non-blocking collective file operation
	// may block for reasons that unknot does not model: dynamic processes, independent file I/O
	Opaque
	TypeMake     // makes a datatype
	TypeFree     //
	GreqStart    // MPI_Grequest_start: a request that the program itself completes
	BufferDetach // MPI_Buffer_detach: waits for buffered messages
	BufferFlush  // the same, and the buffer stays (4.1)
	BufferIflush // makes a request for that (4.1)
	QueryThread  // nothing; kept apart for thread levels

	// From here on as Local: they always return, and concern no other rank. They make, free or change objects.
	GroupMake      // gives a new group
	GroupFree      //
	InfoMake       // gives a new info object
	InfoFree       //
	OpMake         //
	OpFree         //
	ErrhandlerMake // makes an error handler
	ErrhandlerGet  // gives another handle of an error handler, which is to be freed too
	ErrhandlerSet  //
	ErrhandlerFree //
	KeyvalMake     //
	KeyvalFree     //
	TypeCommit     //
	TypeGet        // gives handles of datatypes that exist
	BufferAttach   //
)

// Quiet says that a call of the class always returns and concerns nobody else: it neither blocks, matches nor starts
// anything.
func (c Class) Quiet() bool { return c == Local || c >= GroupMake }

// Completes says that a call of the class reports requests as complete.
func (c Class) Completes() bool { return c >= Wait && c <= GetStatusSome }

// Keeps says that the requests which a call of the class reports as complete are there afterwards, as they were.
func (c Class) Keeps() bool { return c >= GetStatus && c <= GetStatusSome }

// OfAny says that a poll of the class finds something as soon as any of its requests is complete.
func (c Class) OfAny() bool {
	return c == Testany || c == Testsome || c == GetStatusAny || c == GetStatusSome
}

// Kind is what a parameter is, which decides how it is recorded.
type Kind uint8

// Kinds recorded at entry, one word each, unless said otherwise. A null pointer or one to a negative number of elements
// is recorded as an empty array or string, and as all-ones in the place of one word. In a record, what has a fixed
// length comes first, then the arrays, groups and strings, both in the order of the parameters.
const (
	KSkip    Kind = iota // not recorded
	KInt                 // any integer: count, tag, rank, flag, displacement, assertion
	KPtr                 // a buffer's address
	KHandle              // any handle by value
	KReqIn               // MPI_Request* whose value is recorded at entry: Wait, Test, Start, Cancel, Request_free
	KMsgIn               // MPI_Message*: as KReqIn
	KReqs                // MPI_Request[] of Len: word n, then n handles
	KHandles             // handle[]: word n, then n handles
	KInts                // int[], MPI_Aint[], MPI_Offset[] or MPI_Count[]: word n, then n values
	KWeights             // as KInts; empty for MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY
	KRanges              // int[][3]: word n, then 3 n values
	// MPI_Group by value: handle, n, then its n world ranks (-1 if none): Win_post, Win_start, Comm_create*
	KGroup
	// handle* that the call frees or reads (Comm_free, Type_free, Win_free, File_close): its value at entry
	KHandleIn
	KIntIn // int* (or another integer) that the call reads: its value at entry
	KStr   // const char*: string
	// Kinds recorded at exit.
	KOutHandle  // handle*: its value; one word
	KOutPtr     // void*, of the place for an address that the call gives: that address; one word
	KOutComm    // MPI_Comm*: its value; a DataComm record follows unless it is MPI_COMM_NULL
	KOutType    // MPI_Datatype*: handle, size in bytes (-1 unknown)
	KOutWin     // MPI_Win*: its value
	KOutInt     // int*: one word (flag, index, outcount)
	KOutHandles // handle[]: n, then n handles
	KOutInts    // int[] of indices, Len is the parameter with the number (outcount): n, then n values
	// MPI_Status*: source, tag (StatusTag, StatusIgnored), size in bytes (StatusCancelled if it was cancelled, -1
	// unknown); three words
	KOutStatus
	KOutStatuses // MPI_Status[], Len is the count or outcount: n, then 3 n words
)

// StatusCancelled stands in the place of a status's size for an operation that was cancelled.
const StatusCancelled int64 = -2

// StatusIgnored is set in the word of a status's tag if the program passed MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE.
const StatusIgnored uint64 = 1 << 32

// StatusTag is the tag that the word of a status holds.
func StatusTag(word uint64) int32 { return int32(word) }

// Role is the meaning of a parameter that analyses ask for by name.
type Role uint8

// Roles; a function has at most one parameter of each, except that Sendrecv has the R… ones for its receive part.
const (
	RNone Role = iota
	RBuf
	RCount
	RType
	RPeer // destination, source
	RTag
	RComm
	RRequest // the one request made or completed
	RRequests
	RStatus
	RStatuses
	RFlag
	RIndex
	ROutcount
	RIndices
	RRoot
	ROp
	RNewComm
	RNewType
	RNewWin
	RNewFile
	RWin
	RFile
	RGroup
	RMessage
	RLockType
	RAssert
	RRecvBuf
	RRecvCount
	RRecvType
	RSource  // Sendrecv: source
	RRecvTag // Sendrecv: receive tag
	RPartitions
	RPartition
	RPartitionHigh
	RColor
	RKey
	RName
	RLevel
	RPeerComm // Intercomm_create
	RHandle   // any other handle
	RInfo
	RErrhandler
	RSession
	RKeyval
	// what the call makes or gives: a group, info object, operator, error handler, key value, session, datatype
	RNewHandle
	NumRoles
)

// Param is one parameter of a function, in the order of the standard.
type Param struct {
	Name string // the standard's name
	Kind Kind
	Role Role
	// Object is the kind of object that it names, or of the elements of an array of handles.
	Object Object
	Len    int // for arrays: index of the parameter that the length comes from, -1 if it comes from none
	By     Extent
	// AtRoot says that the parameter is significant at the root only: an array or string is recorded as empty
	// elsewhere.
	AtRoot bool
}

// Extent is how many elements an array has.
type Extent uint8

// Extents. All but the first few come from the communicator, of which the probe asks MPI; if it does not know the
// communicator for a living one, the array is recorded as empty.
const (
	ByParam    Extent = iota // as parameter Len says; if that is -1, the parameter is no array
	ByLast                   // as the last element of array Len says
	BySum                    // as the sum of array Len says
	ByContents               // as many datatypes as MPI_Type_get_contents gives
	// one for each rank that the call can name: members of the communicator, or of the other side
	ByMembers
	ByLocal // one for each member of the own side
	ByIn    // one for each neighbour that the process receives from
	ByOut   // one for each that it sends to
	ByDims  // one for each dimension of the Cartesian topology
)

// Array says that a parameter is an array with its own length.
func (p *Param) Array() bool { return p.Len >= 0 || p.By != ByParam }

// Func is a row of the table.
type Func struct {
	ID    uint16
	Name  string // "MPI_Send"; the large-count form MPI_Send_c has a separate row, derived from it
	Class Class
	Form
	Poll bool // may be coalesced while unsuccessful
	// changes nothing, and gives the same if it is given the same communicators, predefined datatypes and numbers
	Asks bool
	// may be called before MPI is initialised and after it is finalised (MPI-4.1, 11.4.1; MPI-5.0, 20.2)
	Anytime bool
	Params  []Param
	Recorded
	Standard
	Effects
	buffers         []Buffer
	target          *Buffer
	stores, fetches bool // see Stores, Fetches
}

// Form is how a function communicates, and which of its forms it is.
type Form struct {
	Mode        op.SendMode
	Sync        op.Sync
	Nonblocking bool // makes a request
	Persistent  bool // makes an inactive request
	// Base is the name without the marks of the non-blocking, persistent, request-based and large-count forms: the name
	// of the blocking one, except for partitioned operations, which have none. Family is the same number for
	// collectives that may meet.
	Base   string
	Family uint16
}

// Recorded is where records of a function's calls have the values of its parameters.
type Recorded struct {
	// EnterAt and ExitAt give the word at which a role's value starts in an Enter or Exit record; -1 if it is not in
	// it, -2 if it comes after an array (its place then depends on lengths; use Walk).
	EnterAt, ExitAt [NumRoles]int8
	// HasExit says that the Exit record has words. That of a call which failed has none, whatever the function: its
	// site is the error code (MPI_ERR_IN_STATUS counts as success here).
	HasExit bool
	order   []*Param // as records hold them
}

// Effects are what a function does to the objects of its rank, for those that make, free or set any.
type Effects struct {
	Topology Topology // of the communicator that it makes; UnknownTopology for that of the old one
	Suits    Suits
	Freed    Object // the kind of object that it frees, NoObject if none
	Combiner Combiner
	Caching  Caching
	Settles  Settles
}

// Standard is in which versions of MPI a function is.
type Standard struct {
	// Since is the version of the standard that it is from, for those after MPI-4.0, else "".
	Since string
	// Removed is the function that took the place of one which MPI-3.0 has removed; Deprecated that of one which
	// MPI-4.0 deprecates.
	Removed, Deprecated string
}
