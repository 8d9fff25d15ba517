// Package rendezvous has two processes of a job meet at two calls: the second phase of finding data races (Park,
// Hargrove, Iancu, Yelick: UPC-Thrille), for calls of MPI and OpenSHMEM. The first process that reaches one of the two
// calls is held before it until the other one reaches the other call. Then both are about to make them at the same
// moment, and nothing orders the two. One of them goes first, and in the next run the other one. Two threads of a
// process meet in the same way; they may also be held inside of their calls, before MPI gets them, until both are.
//
// The file of a meeting is in the session of such a run; probes that find it there (meet.h) look at the place of each
// call.
package rendezvous

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"reflect"
	"unsafe"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
)

// Name is the file of a meeting in the session directory.
const Name = "meet"

// Meet is that file. Its words up to Together are written before the job begins, the others by its processes.
type Meet struct {
	Mark     uint64 // Mark
	First    uint64 // 0: the one that reaches A goes first, 1: the one that reaches B
	SiteA    uint64 // Site
	SiteB    uint64
	RankA    uint64
	RankB    uint64
	Threads  uint64 // 1: two threads of that rank meet
	Together uint64 // 1: and inside of their calls
	State    uint64 // Free and following
	AtB      uint64 // of who is held
	Holder   uint64 // its thread id
	Held     uint64 // how often one was held
	Expired  uint64 // and how often nobody came
	ReachedA uint64 // how often A was reached by its rank
	ReachedB uint64
}

// Mark is the first word.
const Mark = uint64(1)<<48 | 0x7465656d6b75 // "ukmeet"

// States of a Meet.
const (
	Free    = iota
	Claimed // a process is about to be held
	Held
	Met    // the other one has come, and the first may go
	Passed // the first has made its call
)

// Site stands for the place of a call in the files of a program, the same in each of its processes and runs: it is made
// of the base name of the file with the code, and the offset of the return address in it.
func Site(module string, offset uint64) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(filepath.Base(module))) // it never fails
	_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, offset))
	return h.Sum32()
}

//go:embed meet.h
var source string

// Header is what a probe includes: the struct, the numbers and the functions.
func Header() []byte {
	return fmt.Appendf(nil, "/* Generated from internal/observe/rendezvous. */\n#ifndef UK_MEET_H\n#define UK_MEET_H\n\n#include "+
		"<stddef.h>\n#include <stdint.h>\n\n"+
		"#define UK_MEET_NAME %q\n#define UK_MEET_MARK UINT64_C(%#x)\nenum { UK_MEET_FREE, UK_MEET_CLAIMED, "+
		"UK_MEET_HELD, UK_MEET_MET, UK_MEET_PASSED };\n\n%s%s\n#endif\n",
		Name, Mark, ring.CStruct(reflect.TypeFor[Meet]()), source)
}

// Prepare writes the file for a run in which two processes meet, and the one at the second place goes first or not; or
// for one in which two threads do: they are in their calls together, or the one at the second place goes first.
func Prepare(m *finding.Meeting, path string, second bool) error {
	f := Meet{Mark: Mark, SiteA: uint64(m.Sites[0]), SiteB: uint64(m.Sites[1]), RankA: uint64(m.Ranks[0]),
		RankB: uint64(m.Ranks[1])}
	switch {
	case second:
		f.First = 1
	case m.OfThreads():
		f.Together = 1
	}
	if m.OfThreads() {
		f.Threads = 1
	}
	return os.WriteFile(path, unsafe.Slice((*byte)(unsafe.Pointer(&f)), unsafe.Sizeof(f)), 0o600)
}

// Copy copies the file of a meeting, of whichever kind, into a session or back.
func Copy(to, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}

// Outcome is what came of such a run.
type Outcome struct{ Meet }

// Read reads the file of a run that is over.
func Read(path string) (o Outcome, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return o, err
	}
	if len(data) != int(unsafe.Sizeof(o.Meet)) || binary.NativeEndian.Uint64(data) != Mark {
		return o, fmt.Errorf("%s: it is no meeting of processes", path)
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&o.Meet)), unsafe.Sizeof(o.Meet)), data)
	return o, nil
}

// Met says whether the two met.
func (o *Outcome) Met() bool { return o.State >= Met }
