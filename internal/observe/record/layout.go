package record

import (
	"fmt"
	"reflect"
	"strings"
	"structs"

	"unknot/internal/observe/ring"
)

// The record of a rank as it lies in memory: a StateHeader, then the tables below, one after the other in the order of
// StateMemory. Only the rank writes. Fields are appended, never moved; whoever changes the meaning of one raises Version.
const (
	// Magic is the first word of a record.
	Magic = uint64(0x6472636572746e75) // "untrecrd"
	// Version is that of the layout.
	Version = 5
	// FileName is what the memory of a rank is called where it has no file.
	FileName = "unknot-record"
	// EnvDirectory names the variable with the directory in which ranks keep their records as files, named FileName, a
	// hyphen and the process id. Without it the memory has no file, and ends with its rank.
	EnvDirectory = "UNKNOT_RECORD_DIR"
)

// The bounds of the tables: all of them together take less than 256 KiB.
const (
	mostThreads  = 16
	mostArgs     = 12
	mostWaited   = 102 // requests that are kept with the call which completes them
	mostComms    = 128
	mostMembers  = 4608
	mostChannels = 1024
	mostRequests = 1024
	mostCalls    = 4096
	mostFreed    = 8
	mostLast     = 4 // collective calls that are kept with their communicator
	// mostProbes bounds how far an entry of a hash table stands from its place.
	mostProbes = 32
)

// States of a process.
const (
	stateBeginning = 1 // MPI_Init has not returned
	stateAlive     = 2
	stateEnded     = 3 // MPI_Finalize has returned
)

// Flags of a record: what it does not have.
const (
	lostThreads  = 1 << iota // a thread without a slot has called MPI
	lostRequests             // a request did not fit
	lostChannels             // a message was not counted
	lostComms                // a communicator did not fit, or was created by a function that the recorder does not know
	lostReceives             // a receive completed unseen: with an error, or freed before
)

// Flags of a request.
const (
	requestActive     = 1 << iota
	requestPersistent //
	requestReceives   // completing it receives a message that was not counted before
	requestSends      // starting it sends a message
	requestCollective // starting it enters a collective operation
	requestCancelled  // MPI_Cancel was called
	requestComplete   // the library has completed it, though the program has not asked for that
	requestShared     // the library gave this handle to several requests, so it is a complete one
)

// Kinds of entries in the table of communicators.
const (
	kindIntra = 1
	kindInter = 2
	kindWin   = 3
	kindFile  = 4
)

// Tags of what synchronises windows.
const (
	tagPost     = 1
	tagComplete = 2
	tagLock     = 3
)

// Locks.
const (
	lockShared    = 1
	lockExclusive = 2
)

// peerAll stands for all members of a window's group.
const peerAll = 1<<31 - 1

// Places of members.
const (
	placeAffine  = -1 // member i is First + i*Stride
	placeUnknown = -2
)

// StateHeader is the first page. Unless said otherwise, its fields are written once.
type StateHeader struct {
	_          structs.HostLayout
	Magic      uint64 // written last when the record is created
	Version    uint32
	Size       uint32 // of the record in bytes
	PID        int32  // in the rank's own namespace
	State      uint32 // changes
	Rank       int32  // in MPI_COMM_WORLD; -1 before MPI is initialised
	Ranks      int32
	Level      int32  // of thread support
	Lost       uint32 // flags; changes
	AnySource  int32
	AnyTag     int32
	ProcNull   int32
	Root       int32
	World      uint64 // handles as words
	Self       uint64
	NoRequest  uint64
	Complete   [2]uint64 // requests of sends and receives that are complete at once; 0 if there is none such
	CallsNext  uint64    // position in the ring of calls; changes
	Changes    uint64    // odd while an entry of a table moves; changes
	Comms      uint32    // entries in use; changes
	Serial     uint32    // of the last communicator; changes
	NotCounted uint64    // messages that fitted into no channel; changes
	Library    [256]byte
	Modules    [3584]byte        // where code lies, a line each as in /proc/PID/maps (proc(5)), as far as they fit
	Freed      [mostFreed]uint64 // handles of the communicators, windows and files that were freed last; changes
	Gone       [mostFreed]uint64 // and their identities
}

// funcBits are those of a thread's word that have a function; the others count its calls.
const funcBits = 16

// StateThread is a thread that calls MPI. Word is written last when a call begins, and first when it ends.
type StateThread struct {
	_        structs.HostLayout
	Word     uint64 // how many calls it has made, and the function that it is in, 0 for none
	Site     uint64 // the address that the call returns to
	Order    uint64 // position of the call among all of the rank; not of polls
	Misses   uint64 // polls that found nothing
	TID      int32  // 0 if the slot is free
	Waited   uint32 // how many requests the call completes, if it is one that does
	Stamp    uint32 // constant
	_        uint32
	Args     [mostArgs]uint64
	Requests [mostWaited]uint64 // the first of these; they are valid while the call is in progress
}

// StateGroup is who the members of a communicator are, by world rank.
type StateGroup struct {
	_      structs.HostLayout
	First  int32
	Stride int32
	Place  int32 // where the members' world ranks begin in the table of members
	Size   int32
}

// StateComm is a communicator, window or file.
type StateComm struct {
	_           structs.HostLayout
	Handle      uint64 // 0 if the entry is free
	Identity    uint64 // the same on all members; 0 if unknown
	Collectives uint64 // collective calls on it so far
	// Last are the last of these, each at its number modulo their number: the function and above it the root.
	Last   [mostLast]uint64
	Serial uint32
	Kind   uint32
	Parent uint32     // serial, 0 if unknown
	Rank   int32      // of this process, in its own group
	Local  StateGroup // this process's group
	// Remote is that of an intercommunicator; of a window, those to whom it is posted, and Access those on whose
	// windows an epoch is started (MPI-4.0, 12.5.2). Otherwise they are empty.
	Remote StateGroup
	Access StateGroup
}

// StateChannel counts the messages with one peer and tag on one communicator, modulo 2^32. Of windows, a post counts
// as a message to each origin, and a completion as one to each target, with the tags tagPost and tagComplete; peers
// are world ranks. With tagLock, Sent - Received is the lock that this rank has of a target: lockShared, lockExclusive
// or none; peers are ranks of the window's group, or peerAll.
type StateChannel struct {
	_        structs.HostLayout
	Comm     uint32 // serial, 0 if the entry is free
	Peer     int32
	Tag      int32
	Sent     uint32 // sends started
	Received uint32 // receives completed
}

// StateRequest is a request that is open.
type StateRequest struct {
	_       structs.HostLayout
	Handle  uint64 // 0 if the entry is free
	Site    uint64
	Order   uint64 // position, among all calls of the rank, of the one that created or started it
	Count   int64
	Type    uint64 // handle; of a call that creates a communicator, where its handle will be
	Comm    uint32 // serial
	Peer    int32
	Tag     int32
	Func    uint16
	Flags   uint8
	Waiting uint8 // 1 + index of the thread that completes it, if its slot has no room for that
}

// StateCall is one of the last calls. A call that both sends and receives is two in a row: its receive, then its send.
type StateCall struct {
	_      structs.HostLayout
	Site   uint64
	Count  int64
	Comm   uint32 // serial
	Peer   int32
	Tag    int32
	Func   uint16
	Result uint8 // the error that the call has returned
	Thread uint8
}

// Errors with other codes than the smallest are resultOther.
const resultOther = 0xfe

// StateMemory is the whole record.
type StateMemory struct {
	_        structs.HostLayout
	Header   StateHeader
	Threads  [mostThreads]StateThread
	Comms    [mostComms]StateComm
	Members  [mostMembers]int32
	Channels [mostChannels]StateChannel
	Requests [mostRequests]StateRequest
	Calls    [mostCalls]StateCall
}

// header is the layout in C.
func header() []byte {
	var b strings.Builder
	b.WriteString("// Generated from internal/observe/record/layout.go.\n#ifndef UK_STATE_H\n#define UK_STATE_H\n\n" +
		"#include <assert.h>\n#include <stddef.h>\n#include <stdint.h>\n\n")
	fmt.Fprintf(&b, "#define UK_STATE_MAGIC UINT64_C(%#x)\n#define UK_STATE_FILE %q\n#define UK_STATE_ENV %q\n", Magic,
		FileName, EnvDirectory)
	for _, c := range []struct {
		name  string
		value int
	}{
		{"VERSION", Version}, {"THREADS", mostThreads}, {"ARGS", mostArgs}, {"WAITED", mostWaited},
		{"COMMS", mostComms}, {"MEMBERS", mostMembers}, {"CHANNELS", mostChannels}, {"REQUESTS", mostRequests},
		{"CALLS", mostCalls}, {"PROBES", mostProbes},
		{"BEGINNING", stateBeginning}, {"ALIVE", stateAlive}, {"ENDED", stateEnded},
		{"LOST_THREADS", lostThreads}, {"LOST_REQUESTS", lostRequests}, {"LOST_CHANNELS", lostChannels},
		{"LOST_COMMS", lostComms}, {"LOST_RECEIVES", lostReceives},
		{"ACTIVE", requestActive}, {"PERSISTENT", requestPersistent}, {"RECEIVES", requestReceives},
		{"SENDS", requestSends}, {"COLLECTIVE", requestCollective}, {"CANCELLED", requestCancelled},
		{"COMPLETE", requestComplete}, {"SHARED", requestShared},
		{"INTRA", kindIntra}, {"INTER", kindInter}, {"WIN", kindWin}, {"FILE_KIND", kindFile},
		{"AFFINE", placeAffine}, {"UNKNOWN", placeUnknown}, {"OTHER", resultOther}, {"LAST", mostLast}, {"FREED", mostFreed}, {"POST", tagPost},
		{"COMPLETES", tagComplete}, {"LOCK", tagLock}, {"LOCK_SHARED", lockShared}, {"LOCK_EXCLUSIVE", lockExclusive},
		{"ALL", peerAll}, {"FUNC", 1<<funcBits - 1},
	} {
		fmt.Fprintf(&b, "#define UK_STATE_%s (%d)\n", c.name, c.value)
	}
	b.WriteString("\n")
	for _, t := range []reflect.Type{
		reflect.TypeFor[StateHeader](), reflect.TypeFor[StateThread](), reflect.TypeFor[StateGroup](),
		reflect.TypeFor[StateComm](), reflect.TypeFor[StateChannel](), reflect.TypeFor[StateRequest](),
		reflect.TypeFor[StateCall](), reflect.TypeFor[StateMemory](),
	} {
		b.WriteString(ring.CStruct(t))
	}
	b.WriteString("#endif\n")
	return []byte(b.String())
}
