package agent

import (
	"strings"
	"testing"

	"unknot/internal/check"
	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
)

// said replays what each of two ranks calls, and gives what the usage checks say of rank 0's.
func said(t *testing.T, calls func(s *script, other uint64)) []string { return saidWith(t, nil, calls) }

// saidWith is said with a selection of checks.
func saidWith(t *testing.T, checks check.Selection, calls func(s *script, other uint64)) []string {
	net := encoded(t, 1)
	a, tapes := watchedOn(t, net, 2, 1<<10, func(s *script, left, right uint64, _ bool) {
		calls(s, right)
		s.fill()
	}, nil, checks)
	for _, p := range tapes {
		p.replay()
	}
	for a.readRings() {
	}
	var out []string
	for _, m := range net.Member(tree.Root).Take(nil) {
		if m, is := m.(message.Misuse); is && m.Finding.Ranks[0] == 0 {
			out = append(out, string(m.Finding.Code)+": "+m.Finding.Sentence)
		}
	}
	return out
}

func (s *script) irecv(at, request uint64) {
	s.call("MPI_Irecv", []uint64{at, 1, tapeInt, tapeAny, 0, tapeWorld}, []uint64{request})
}

func (s *script) recv(at, from uint64) {
	s.call("MPI_Recv", []uint64{at, 1, tapeInt, from, 0, tapeWorld}, []uint64{from, 0, 4})
}

func TestBuffersArePendingFromTheStartOfAnOperationToItsCompletion(t *testing.T) {
	const other = tapeRequest + 1
	overlaps := "in memory that a pending MPI_Irecv still receives into (4 bytes are in both)"
	for _, c := range []struct {
		name  string
		calls func(s *script, from uint64)
		want  string
	}{
		{"pending", func(s *script, from uint64) {
			s.irecv(tapeGot, tapeRequest)
			s.recv(tapeGot, from)
		}, overlaps},
		{"next to it", func(s *script, from uint64) {
			s.irecv(tapeGot, tapeRequest)
			s.recv(tapeGot+4, from)
			s.recv(tapeGot-4, from)
		}, ""},
		{"another request is complete", func(s *script, from uint64) {
			s.irecv(tapeGot, tapeRequest)
			s.irecv(tapeSent, other)
			s.call("MPI_Wait", []uint64{other}, []uint64{from, 0, 4})
			s.recv(tapeGot, from)
		}, overlaps},
		{"complete", func(s *script, from uint64) {
			s.irecv(tapeGot, tapeRequest)
			s.call("MPI_Wait", []uint64{tapeRequest}, []uint64{from, 0, 4})
			s.recv(tapeGot, from)
		}, ""},
		{"the wait failed", func(s *script, from uint64) {
			s.irecv(tapeGot, tapeRequest)
			wait := s.table.ByName("MPI_Wait")
			s.put(wait.ID, ring.Enter, 0x2000, tapeRequest)
			s.put(wait.ID, ring.Exit, 15)
			s.recv(tapeGot, from)
		}, ""},
		{"freed", func(s *script, from uint64) {
			s.irecv(tapeGot, tapeRequest)
			s.call("MPI_Request_free", []uint64{tapeRequest}, nil)
			s.recv(tapeGot, from)
		}, ""},
		{"one handle for two", func(s *script, from uint64) {
			s.irecv(tapeGot, tapeRequest)
			s.irecv(tapeSent, tapeRequest)
			s.call("MPI_Wait", []uint64{tapeRequest}, []uint64{from, 0, 4})
			s.recv(tapeSent, from)
		}, ""},
		{"one handle for two, neither complete", func(s *script, from uint64) {
			s.irecv(tapeGot, tapeRequest)
			s.irecv(tapeSent, tapeRequest)
			s.recv(tapeGot, from)
		}, overlaps},
		{"a request that nothing is known of is complete", func(s *script, from uint64) {
			s.irecv(tapeGot, tapeRequest)
			s.call("MPI_Wait", []uint64{other}, []uint64{from, 0, 4})
			s.recv(tapeGot, from)
		}, ""},
		{"a persistent request that was made and not started", func(s *script, from uint64) {
			s.call("MPI_Recv_init", []uint64{tapeGot, 1, tapeInt, from, 0, tapeWorld}, []uint64{tapeRequest})
			s.recv(tapeGot, from)
		}, ""},
		{"started", func(s *script, from uint64) {
			s.call("MPI_Recv_init", []uint64{tapeGot, 1, tapeInt, from, 0, tapeWorld}, []uint64{tapeRequest})
			s.call("MPI_Start", []uint64{tapeRequest}, nil)
			s.recv(tapeGot, from)
		}, "in memory that a pending MPI_Recv still receives into (4 bytes are in both)"},
		{"started and complete", func(s *script, from uint64) {
			s.call("MPI_Recv_init", []uint64{tapeGot, 1, tapeInt, from, 0, tapeWorld}, []uint64{tapeRequest})
			s.call("MPI_Start", []uint64{tapeRequest}, nil)
			s.call("MPI_Wait", []uint64{tapeRequest}, []uint64{from, 0, 4})
			s.recv(tapeGot, from)
		}, ""},
		{"started over an operation", func(s *script, from uint64) {
			s.call("MPI_Recv_init", []uint64{tapeGot, 1, tapeInt, from, 0, tapeWorld}, []uint64{tapeRequest})
			s.call("MPI_Isend", []uint64{tapeGot, 1, tapeInt, from, 0, tapeWorld}, []uint64{other})
			s.call("MPI_Start", []uint64{tapeRequest}, nil)
		}, "MPI_Start, which starts an operation in memory that a pending MPI_Isend still sends from"},
		{"two sends", func(s *script, from uint64) {
			s.call("MPI_Isend", []uint64{tapeGot, 1, tapeInt, from, 0, tapeWorld}, []uint64{tapeRequest})
			s.call("MPI_Isend", []uint64{tapeGot, 1, tapeInt, from, 0, tapeWorld}, []uint64{other})
		}, ""},
		{"nobody sends", func(s *script, from uint64) {
			s.call("MPI_Irecv", []uint64{tapeGot, 1, tapeInt, tapeNull, 0, tapeWorld}, []uint64{tapeRequest})
			s.recv(tapeGot, from)
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, s := range said(t, c.calls) {
				if strings.HasPrefix(s, "buffer-overlap: ") {
					got = append(got, s)
				}
			}
			if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)) {
				t.Errorf("said %q, want %q", got, c.want)
			}
		})
	}
}
