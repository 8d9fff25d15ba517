package plan

import (
	"fmt"
	"reflect"
	"strings"
	"structs"

	"unknot/internal/ring"
)

// A plan's file is made to be mapped by every rank and read where it concerns that rank only:
//
//	FileHeader
//	FileIndex × (Ranks + 1)      where each rank's entries begin; the last one is where all end
//	FileDecision × all of them   by rank, thread, Nth
//	FileSend × all of them       by rank, thread, Nth
//
// Numbers are little-endian; a machine that is not sees another Magic.

// Version is the revision of the layout. Both sides refuse a file that differs, naming both values.
const Version = 1

// Magic is the first word of the file.
const Magic uint64 = 0x316e616c706b75 // "ukplan1"

// Synchronous, in FileHeader.Flags, makes every send of standard mode synchronous.
const Synchronous = 1

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

// FileIndex says how many decisions and sends of the whole file come before those of a rank.
type FileIndex struct {
	_        structs.HostLayout
	Decision uint64
	Send     uint64
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
}

// Sizes of the file's pieces in bytes.
const (
	headerSize   = 32
	indexSize    = 16
	decisionSize = 16
	sendSize     = 8
)

// Header is the text of plan.h: this layout in C. Every offset and size is asserted again by the C compiler.
func Header() string {
	var b strings.Builder
	b.WriteString("// Generated from internal/plan/layout.go.\n#ifndef UK_PLAN_H\n#define UK_PLAN_H\n\n#include <assert.h>\n#include <stddef.h>\n#include <stdint.h>\n\n")
	fmt.Fprintf(&b, "#define UK_PLAN_VERSION %#xu\n#define UK_PLAN_MAGIC UINT64_C(%#x)\n#define UK_PLAN_SYNCHRONOUS %#xu\n\n", Version, Magic, Synchronous)
	for _, t := range []reflect.Type{
		reflect.TypeFor[FileHeader](), reflect.TypeFor[FileIndex](), reflect.TypeFor[FileDecision](), reflect.TypeFor[FileSend](),
	} {
		b.WriteString(ring.CStruct(t))
	}
	b.WriteString("#endif\n")
	return b.String()
}
