package agent

import (
	"strings"
	"testing"

	"unknot/internal/check"
	"unknot/internal/check/registry"
	"unknot/internal/observe/ring"
)

// tell writes a Data record.
func (s *script) tell(id ring.DataID, words ...uint64) { s.put(uint16(id), ring.Data, 0, words...) }

func (s *script) lies(param uint64, state ring.MemoryState, from, to uint64) {
	s.tell(ring.DataMemory, param, uint64(state), from, to, 0)
}

func (s *script) freed(from, to uint64) { s.tell(ring.DataFreed, from, to, uint64(ring.FreedFree), 0) }

func (s *script) wait(request, from uint64) {
	s.call("MPI_Wait", []uint64{request}, []uint64{from, 0, 4})
}

func (s *script) isend(at, to, request uint64) {
	s.call("MPI_Isend", []uint64{at, 1, tapeInt, to, 0, tapeWorld}, []uint64{request})
}

// changed tells that the data of the last MPI_Isend is not what it was.
func (s *script) changed(at, to uint64) {
	isend := uint64(s.table.ByName("MPI_Isend").ID)
	s.tell(ring.DataChanged, isend, 0x1000+isend, 0, 0, 0, 4, 4, 0, 6, at, 1, tapeInt, to, 0, tapeWorld)
}

func TestWhatBuffersLieInIsJudged(t *testing.T) {
	for _, c := range []struct {
		name  string
		calls func(s *script, from uint64)
		want  string
	}{
		{"a block that is too small", func(s *script, from uint64) {
			s.lies(0, ring.MemoryBlock, tapeGot-1, tapeGot+2)
			s.recv(tapeGot, from)
		}, "buffer-outside: Rank 0 calls MPI_Recv with buf in a heap block of 3 bytes from byte 1 on; the message of " +
			"4 bytes extends 2 bytes beyond its end."},
		{"a block that is large enough", func(s *script, from uint64) {
			s.lies(0, ring.MemoryBlock, tapeGot, tapeGot+4)
			s.recv(tapeGot, from)
		}, ""},
		{"the block of another call", func(s *script, from uint64) {
			s.lies(0, ring.MemoryBlock, tapeGot, tapeGot+2)
			s.call("MPI_Barrier", []uint64{tapeWorld}, nil)
			s.recv(tapeGot, from)
		}, ""},
		{"nobody sends", func(s *script, _ uint64) {
			s.lies(0, ring.MemoryBlock, tapeGot, tapeGot+2)
			s.recv(tapeGot, tapeNull)
		}, ""},
		{"the end of the stack", func(s *script, from uint64) {
			s.tell(ring.DataStack, tapeGot-100, tapeGot+2)
			s.recv(tapeGot, from)
		}, "buffer-outside: Rank 0 calls MPI_Recv with buf in the stack of a thread; the message of 4 bytes extends " +
			"2 bytes beyond its end."},
		{"a block that was freed", func(s *script, from uint64) {
			s.lies(0, ring.MemoryFreed, tapeGot, tapeGot+4)
			s.recv(tapeGot, from)
		}, "buffer-freed: Rank 0 calls MPI_Recv with buf in memory that has been freed."},
		{"a function that has returned", func(s *script, from uint64) {
			s.lies(0, ring.MemoryBelow, tapeGot, tapeGot+4)
			s.recv(tapeGot, from)
		}, "buffer-freed: Rank 0 calls MPI_Recv with buf in a part of the stack that is no longer in use."},
		{"freed while pending", func(s *script, from uint64) {
			s.irecv(tapeGot, tapeRequest)
			s.freed(tapeGot-4, tapeGot+1)
			s.wait(tapeRequest, from)
		},
			"buffer-freed: Rank 0 calls MPI_Irecv with buf, and that memory is freed before the operation is completed."},
		{"freed when complete", func(s *script, from uint64) {
			s.irecv(tapeGot, tapeRequest)
			s.wait(tapeRequest, from)
			s.freed(tapeGot, tapeGot+4)
		}, ""},
		{"freed beside it", func(s *script, from uint64) {
			s.irecv(tapeGot, tapeRequest)
			s.freed(tapeGot-100, tapeGot)
			s.freed(tapeGot+4, tapeGot+100)
			s.wait(tapeRequest, from)
		}, ""},
		{"one handle for two", func(s *script, from uint64) {
			s.isend(tapeSent, from, tapeRequest)
			s.isend(tapeGot, from, tapeRequest)
			s.freed(tapeSent, tapeSent+4)
		},
			"buffer-freed: Rank 0 calls MPI_Isend with buf, and that memory is freed before the operation is completed."},
		{"one handle for two, one of which is complete", func(s *script, from uint64) {
			s.isend(tapeSent, from, tapeRequest)
			s.isend(tapeGot, from, tapeRequest)
			s.wait(tapeRequest, from)
			s.freed(tapeSent, tapeSent+4)
			s.freed(tapeGot, tapeGot+4)
		}, ""},
		{"returned while pending", func(s *script, from uint64) {
			s.irecv(tapeGot, tapeRequest)
			s.tell(ring.DataBelow, tapeGot-100, tapeGot+50)
			s.wait(tapeRequest, from)
		}, "buffer-freed: Rank 0 calls MPI_Irecv with buf on the stack, and the function that owns that variable " +
			"returns before the operation is completed."},
		{"returned when complete", func(s *script, from uint64) {
			s.irecv(tapeGot, tapeRequest)
			s.wait(tapeRequest, from)
			s.tell(ring.DataBelow, tapeGot-100, tapeGot+50)
			s.call("MPI_Barrier", []uint64{tapeWorld}, nil)
		}, ""},
		{"changed", func(s *script, to uint64) {
			s.isend(tapeSent, to, tapeRequest)
			wait := s.table.ByName("MPI_Wait")
			s.put(wait.ID, ring.Enter, 0x2000, tapeRequest)
			s.changed(tapeSent, to)
			s.put(wait.ID, ring.Exit, 0, to, 0, 4)
		}, "sent-buffer-modified: Rank 0 calls MPI_Isend with buf and changes the data before the operation " +
			"is completed."},
		{"changed by a receive into it, which is told", func(s *script, to uint64) {
			s.isend(tapeSent, to, tapeRequest)
			s.recv(tapeSent, to)
			s.changed(tapeSent, to)
		}, ""},
		{"changed after it was freed, which is told", func(s *script, to uint64) {
			s.isend(tapeSent, to, tapeRequest)
			s.freed(tapeSent, tapeSent+4)
			s.changed(tapeSent, to)
		},
			"buffer-freed: Rank 0 calls MPI_Isend with buf, and that memory is freed before the operation is completed."},
	} {
		t.Run(c.name, func(t *testing.T) {
			var on check.Selection
			if err := registry.Choose(&on, "sent-buffers", true); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range saidWith(t, on, c.calls) {
				if !strings.HasPrefix(s, "buffer-overlap: ") {
					got = append(got, s)
				}
			}
			if strings.Join(got, "\n") != c.want {
				t.Errorf("said %q, want %q", got, c.want)
			}
		})
	}
}
