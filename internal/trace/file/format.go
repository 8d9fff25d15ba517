// Package file keeps the log of a run on disk while it runs, and reads it back.
//
// A trace file is a header of 16 bytes and then blocks. Each block has a header that says what it is and how long, with
// checksums, and a payload compressed by zstd. There are five kinds: the head (what was run), definitions (functions,
// communicators, sites, call stacks and threads by number, each before the first block that uses it), calls (some
// consecutive calls of one thread, column by column, and what became known of its earlier ones), calls that a thread
// has made several times, and the index (totals by thread), which ends a file that was closed. A file that was not is
// read up to its last whole block.
//
// In a block of calls every column holds small numbers one after the other (varints, differences where they are
// smaller), so that what a loop repeats is repeated bytes, which zstd folds. Nothing in a block refers to another block
// but by the numbers of calls, parts and waits, which count from the thread's begin.
package file

import (
	"encoding/binary"
	"hash/crc32"
)

// Version is that of the format. A reader takes no later one, and none before oldest: those from there on have fewer
// kinds of definitions.
const (
	Version = 4
	oldest  = 3
)

// Extension is what names of trace files end in, by custom.
const Extension = ".unk"

// magic begins a file. Its first byte is in no text, its last one does not survive a transfer as text.
const magic = "\x89UNKNOT\n"

const (
	fileHeaderSize  = 16
	blockHeaderSize = 64
	blockMagic      = 0x6b6c4275 // "uBlk"
)

// Bounds of what a block may hold. A writer keeps to them and a reader trusts nothing that goes beyond.
const (
	maxOps     = 1 << 16 // calls in a block
	maxRaw     = 64 << 20
	maxRanks   = 1 << 22
	maxString  = 1 << 20
	maxDefined = 1 << 24 // functions, communicators, sites, threads: of each
)

type blockKind uint8

const (
	headBlock blockKind = iota + 1
	defsBlock
	callsBlock
	indexBlock
	// calls that were made several times: how often, by how much what a plan can name grows, and then the columns of
	// one time
	repeatBlock
)

// The columns of a block of calls, in the order in which they stand.
const (
	colFn      = iota
	colFlags   // of a call
	colSite    //
	colStarted //
	colWaiting //
	colPart    // kind, mode or synchronisation, wild
	colComm
	colPeer
	colTag
	colBytes   // of sends
	colSeq     // of collectives: difference to the last one
	colWhat    // of collectives: difference to the last one
	colNth     // of what a plan can name: difference to what is expected
	colWait    // how many parts back in the thread, 0 for a part of another thread
	colOther   // that thread and part
	colOutcome // kind and number, as a difference to what is expected
	colMet     // rank and tag
	colChoice  // Nth of the calls with flagChoice: difference to what is expected
	colAt      // of what these wait for, the place in the array: difference to what is expected
	colPoll    // polls, one after the other: see Stream.Poll
	numColumns
)

// Flags of a call, in colFlags.
const (
	flagBlocking = 1 << iota
	flagAny
	flagOpaque
	flagFinal
	flagChoice
	allFlags = 1<<iota - 1
)

// Flags of a poll, in colPoll.
const (
	pollAny = 1 << iota
	pollProbe
	allPollFlags = 1<<iota - 1
)

// header is what precedes a block's payload.
type header struct {
	kind                          blockKind
	thread                        uint32
	ops, parts, waits, outcomes   uint32 // in this block
	firstOp, firstPart, firstWait uint32 // of the thread before it
	returned                      uint32 // calls of the thread that are known to have returned
	raw, packed                   uint32 // bytes of the payload
	sum                           uint32 // of the packed payload, CRC-32C
	polls                         uint32 // in this block
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// fields are the numbers of a header in their order on disk, after magic and kind.
func (h *header) fields() [13]*uint32 {
	return [...]*uint32{&h.thread, &h.ops, &h.parts, &h.waits, &h.outcomes, &h.firstOp, &h.firstPart, &h.firstWait,
		&h.returned, &h.raw, &h.packed, &h.sum, &h.polls}
}

func (h *header) append(b []byte) []byte {
	at := len(b)
	b = binary.LittleEndian.AppendUint32(b, blockMagic)
	b = binary.LittleEndian.AppendUint32(b, uint32(h.kind))
	for _, f := range h.fields() {
		b = binary.LittleEndian.AppendUint32(b, *f)
	}
	return binary.LittleEndian.AppendUint32(b, checksum(b[at:]))
}

// parse reads a block's header; false if that is not what it is.
func (h *header) parse(b []byte) bool {
	const end = blockHeaderSize - 4
	if len(b) != blockHeaderSize || binary.LittleEndian.Uint32(b) != blockMagic ||
		binary.LittleEndian.Uint32(b[end:]) != checksum(b[:end]) {
		return false
	}
	h.kind = blockKind(b[4])
	for i, f := range h.fields() {
		*f = binary.LittleEndian.Uint32(b[8+4*i:])
	}
	return h.kind >= headBlock && h.kind <= repeatBlock && h.raw <= maxRaw && h.ops <= maxOps && h.outcomes <= maxRaw &&
		h.parts <= maxRaw && h.waits <= maxRaw && h.polls <= maxRaw
}

func zigzag(v int64) uint64   { return uint64(v)<<1 ^ uint64(v>>63) }
func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// put appends a number as a varint, and putSigned one that may be negative.
func put(b []byte, v uint64) []byte      { return binary.AppendUvarint(b, v) }
func putSigned(b []byte, v int64) []byte { return binary.AppendVarint(b, v) }

func putString(b []byte, s string) []byte {
	if len(s) > maxString {
		s = s[:maxString]
	}
	return append(put(b, uint64(len(s))), s...)
}

// cursor reads what put has written. After the first number that is not whole all others are 0 and bad is set.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) next() uint64 {
	if len(c.b) > 0 && c.b[0] < 0x80 {
		v := c.b[0]
		c.b = c.b[1:]
		return uint64(v)
	}
	return c.long()
}

func (c *cursor) long() uint64 {
	v, n := binary.Uvarint(c.b)
	if n <= 0 {
		c.b, c.bad = nil, true
		return 0
	}
	c.b = c.b[n:]
	return v
}

func (c *cursor) signed() int64 { return unzigzag(c.next()) }

// below reads a number that must be less than limit.
func (c *cursor) below(limit int) uint64 {
	n := c.next()
	if n >= uint64(limit) {
		c.b, c.bad = nil, true
		return 0
	}
	return n
}

// count reads the length of something of which each element takes at least one byte.
func (c *cursor) count() int {
	n := c.next()
	if n > uint64(len(c.b)) {
		c.b, c.bad = nil, true
		return 0
	}
	return int(n)
}

func (c *cursor) text() string {
	n := c.count()
	s := string(c.b[:n])
	c.b = c.b[n:]
	return s
}
