package plan

import (
	"fmt"
	"reflect"
	"strings"
	"structs"

	"unknot/internal/observe/ring"
)

// A plan's file is made to be mapped by every rank and read where it concerns that rank only:
//
//	FileHeader
//	FileIndex × (Ranks + 1)      where each rank's entries begin; the last one is where all end
//	FileDecision × all of them   by rank, thread, Nth
//	FileSend × all of them       by rank, thread, Nth
//	FileOutcome × all of them    by rank, thread, Nth
//	int32 × all of them          positions of completed requests, in the order of the outcomes that they belong to
//
// Numbers are little-endian; a machine that is not sees another Magic.

// Version is the revision of the layout. Both sides refuse a file that differs, naming both values.
const Version = 3

// Magic is the first word of the file.
const Magic uint64 = 0x316e616c706b75 // "ukplan1"

// Synchronous, in FileHeader.Flags, makes every send of standard mode synchronous.
const Synchronous = 1

// Buffered, in FileSend.Flags, is Send.Buffered; Nothing, in FileOutcome.Flags, is Outcome.Nothing.
const (
	Buffered = 1
	Nothing  = 1
)

// FileHeader begins the file. It is written once, before the file gets its name.
type FileHeader struct {
	_       structs.HostLayout
	Magic   uint64
	Version uint32
	Ranks   uint32 // size of MPI_COMM_WORLD
	Flags   uint32
	_       uint32
	Size    uint64 // of the whole file, in bytes
}

// FileIndex says how many decisions, sends and outcomes of the whole file come before those of a rank, and how long it
// is delayed, in microseconds. The last one has no rank and no delay.
type FileIndex struct {
	_        structs.HostLayout
	Decision uint64
	Send     uint64
	Outcome  uint64
	Delay    uint64
}

// FileDecision is a Decision without its rank.
type FileDecision struct {
	_      structs.HostLayout
	Thread uint32
	Nth    uint32
	Source int32
	Tag    int32
}

// FileSend is a Send without its rank.
type FileSend struct {
	_      structs.HostLayout
	Thread uint32
	Nth    uint32
	Flags  uint32
}

// FileOutcome is an Outcome without its rank. Its positions are Done of them from First on.
type FileOutcome struct {
	_      structs.HostLayout
	Thread uint32
	Nth    uint32
	Flags  uint32
	First  uint32
	Done   uint32
}

// Sizes of the file's pieces in bytes.
const (
	headerSize   = 32
	indexSize    = 32
	decisionSize = 16
	sendSize     = 12
	outcomeSize  = 20
	positionSize = 4
)

// Header is the text of plan.h: this layout in C. Every offset and size is asserted again by the C compiler.
func Header() string {
	var b strings.Builder
	b.WriteString("// Generated from internal/vocab/plan/layout.go.\n#ifndef UK_PLAN_H\n#define UK_PLAN_H\n\n#include " +
		"<assert.h>\n#include <stddef.h>\n#include <stdint.h>\n\n")
	fmt.Fprintf(&b, "#define UK_PLAN_VERSION %#xu\n#define UK_PLAN_MAGIC UINT64_C(%#x)\n#define UK_PLAN_SYNCHRONOUS "+
		"%#xu\n#define UK_PLAN_BUFFERED %#xu\n#define UK_PLAN_NOTHING %#xu\n#define UK_PLAN_MAX_DELAY UINT64_C(%d)\n\n",
		Version, Magic, Synchronous, Buffered, Nothing, MaxDelay)
	for _, t := range []reflect.Type{
		reflect.TypeFor[FileHeader](), reflect.TypeFor[FileIndex](), reflect.TypeFor[FileDecision](),
		reflect.TypeFor[FileSend](),
		reflect.TypeFor[FileOutcome](),
	} {
		b.WriteString(ring.CStruct(t))
	}
	b.WriteString("#endif\n")
	return b.String()
}
