package decode_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// text is a string as the probe writes it.
func text(s string) []uint64 {
	out := []uint64{uint64(len(s))}
	for b := []byte(s); len(b) > 0; b = b[min(8, len(b)):] {
		var word [8]byte
		copy(word[:], b)
		out = append(out, binary.LittleEndian.Uint64(word[:]))
	}
	return out
}

// join puts numbers and texts one behind the other.
func join(parts ...any) []uint64 {
	var out []uint64
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			out = append(out, uint64(p))
		case string:
			out = append(out, text(p)...)
		}
	}
	return out
}

func TestRecordsAreReadAsTheProbeWritesThem(t *testing.T) {
	read := func(f any) []any { return []any{f} }
	for name, c := range map[string]struct{ got, want any }{
		"hello": {decode.ReadHello(join(3, 8, 2, 1<<20, 1, "MPICH Version: 4.0.2")),
			decode.Hello{Rank: 3, Size: 8, Level: 2, TagUB: 1 << 20, Python: true, Library: "MPICH Version: 4.0.2"}},
		"limits": {decode.ReadLimits(join(9, 1, 3, 1)), decode.Limits{TagUB: 9, Required: 1, Provided: 3,
			Predefined: true}},
		"thread": {decode.ReadThread(join(2, 4711)), decode.Thread{Index: 2, TID: 4711}},
		"comm": {decode.ReadComm(join(77, 1, 2, 0, -1, 1, 5)),
			decode.Comm{Handle: 77, Inter: true, Members: op.RanksOf(0, op.Unknown), Remote: op.RanksOf(5)}},
		"world": {decode.ReadComm(join(77, 2, 1<<20, 0)), decode.Comm{Handle: 77, Members: op.FirstRanks(1 << 20),
			Remote: op.Ranks{}}},
		"unknown": {decode.ReadUnknown(join(2000, "MPI_Future")), decode.Unknown{ID: 2000, Name: "MPI_Future"}},
		"stack": {decode.ReadStack(join(9, 2, 3, "a.py", "f", 4, "b.py", "")),
			decode.Stack{Site: 9, Frames: []decode.Frame{{Line: 3, File: "a.py", Function: "f"},
				{Line: 4, File: "b.py"}}}},
		"exception": {decode.ReadException(join("ValueError", "eight by", 12, "a.py")),
			decode.Exception{Kind: "ValueError", Text: "eight by", Line: 12, File: "a.py"}},
		"noted": {decode.ReadInteraction(join(int(ring.InteractionRead), 1, 5, 6, 7, "open", "/d/flag")),
			decode.Interaction{Kind: ring.InteractionRead, Changed: true, Dev: 5,
				Ino: 6, Site: 7, Func: "open", Path: "/d/flag"}},
		"null":    {decode.ReadNull(join(5, 1)), decode.Null{Func: 5, Param: 1}},
		"error":   {decode.ReadError(join(5, 6, "truncated")), decode.Error{Func: 5, Class: 6, Text: "truncated"}},
		"forced":  {decode.ReadForced(join(1, 2, -1)), decode.Forced{Position: 1, Source: 2, Tag: -1}},
		"outcome": {decode.AppendOutcome([]int32{9}, join(2, 4, 1)), []int32{9, 4, 1}},
		"remade":  {decode.ReadRemade(join(1, 2)), decode.Remade{From: 1, To: 2}},
		"unused": {decode.ReadUnused(join(1, 2, 3, 4, 5, 6)), decode.Unused{Receives: 1, Decided: 2, Sends: 3,
			Named: 4, Choices: 5, Unmet: 6}},
		"memory": {decode.ReadMemory(join(2, int(ring.MemoryFreed), 16, 32, 7)),
			decode.Memory{Param: 2, State: ring.MemoryFreed, Range: decode.Range{From: 16, To: 32}, Freed: 7}},
		"freed": {decode.ReadFreed(join(16, 32, int(ring.FreedUnmap), 7)),
			decode.Freed{Range: decode.Range{From: 16, To: 32}, How: ring.FreedUnmap, Site: 7}},
		"changed": {decode.ReadChanged(join(1, 2, 3, 4, 5, 6, 7, 1, 2, 8, 9)),
			decode.Changed{Sent: decode.Site{Func: 1, At: 2},
				Started: decode.Site{Func: 3, At: 4}, Offset: 5, Length: 6, Bytes: 7, Gaps: true,
				Words: []uint64{8, 9}}},
	} {
		if d := cmp.Diff(read(c.want), read(c.got)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	var sizes []string
	decode.Sizes(join(4, 8, 0, 1, 5, -1, 6), func(h uint64, size int64) { sizes = append(sizes, fmt.Sprint(h, size)) })
	decode.Basics(join(4, 8, 16, 2, 5), func(h uint64, size, extent, alignment int64) {
		sizes = append(sizes, fmt.Sprint(h, size, extent, alignment))
	})
	if got, want := fmt.Sprint(sizes), "[4 8 5 -1 4 8 16 2]"; got != want {
		t.Errorf("datatypes %s, want %s", got, want)
	}
}

func TestArgumentsAndResultsAreFoundByTheirRoles(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	send := decode.Call{Func: table.ByName("MPI_Send"), Words: join(0x1000, 4, 11, 1, 7, 91)}
	if send.Word(mpi.RBuf) != 0x1000 || send.Num(mpi.RCount) != 4 || send.Num(mpi.RPeer) != 1 ||
		send.Num(mpi.RTag) != 7 || send.At(0) != 0x1000 || send.Num(mpi.RRoot) != 0 {
		t.Errorf("MPI_Send: %+v", send)
	}
	wait := decode.Call{Func: table.ByName("MPI_Waitany"), Words: join(2, 2, 31, 32)}
	if got := fmt.Sprint(wait.List(mpi.RRequests)); got != "[31 32]" {
		t.Errorf("requests of MPI_Waitany: %s", got)
	}
	over := decode.Call{Func: table.ByName("MPI_Waitsome"), Words: join(2, 2, 0, 1, 2, 5, 6, 7, 8, 9, 10)}
	if n, ok := over.Out(mpi.ROutcount); !ok || n != 2 {
		t.Errorf("outcount of MPI_Waitsome: %d, %v", n, ok)
	}
	if got := fmt.Sprint(over.Outs(mpi.RIndices)); got != "[0 1]" {
		t.Errorf("indices of MPI_Waitsome: %s", got)
	}
}

// FuzzRecords reads random words as each kind of record: the program may have written over them.
func FuzzRecords(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255})
	f.Fuzz(func(_ *testing.T, b []byte) {
		v := make([]uint64, len(b)/8)
		for i := range v {
			v[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		decode.ReadHello(v)
		decode.ReadLimits(v)
		decode.ReadThread(v)
		decode.ReadComm(v)
		decode.ReadUnknown(v)
		decode.ReadStack(v)
		decode.ReadException(v)
		decode.ReadNull(v)
		decode.ReadError(v)
		decode.ReadForced(v)
		decode.AppendOutcome(nil, v)
		decode.ReadRemade(v)
		decode.ReadUnused(v)
		decode.ReadRange(v)
		decode.ReadMemory(v)
		decode.ReadFreed(v)
		decode.ReadChanged(v)
		decode.Sizes(v, func(uint64, int64) {})
		decode.Basics(v, func(_ uint64, _, _, _ int64) {})
		decode.Text(v)
		decode.Number(v)
	})
}
