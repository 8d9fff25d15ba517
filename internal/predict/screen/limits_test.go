package screen

import (
	"slices"
	"strings"
	"testing"

	"unknot/internal/trace/text"
)

// TestWhatProvesNothing screens logs that are right as far as they can be seen, and gets a limit instead of a
// certificate.
func TestWhatProvesNothing(t *testing.T) {
	for written, want := range map[string]string{
		"P0: Send(1,0)\nP0.1: Recv(1,0)\nP1: Recv(0,0) Send(0,0)": "some processes call MPI from " +
			"several threads, whose calls are not ordered",
		"P0: Recv(?,0)\nP1: Barrier(comm=self)\n": "some calls involve processes " +
			"outside MPI_COMM_WORLD, which are assumed to respond",
		"cut \"it was killed\"\nP0: Send(1,0)\nP1: Recv(0,0)": "the log ends before the run did",
		"P0: Barrier(seq=1000000000)\nP1: Barrier(seq=1000000000)": "collectives are numbered with gaps, " +
			"so it is unknown which of them match",
		"P0: Barrier(seq=100000000000)\nP1: Barrier(seq=100000000000) Barrier": "collectives are numbered with gaps, " +
			"so it is unknown which of them match",
	} {
		l := parse(t, "comm self: 1\n"+written)
		r := Log(l)
		if r.Certificate() || !slices.Equal(r.Limits, []string{want}) || len(r.Flags) > 0 && want != r.Limits[0] {
			t.Errorf("%s\ncertificate %v, limits %q, flags %q", written, r.Certificate(), r.Limits, flagsWritten(l, r))
		}
	}
}

// TestReasons gives each reason that the document's logs do not.
func TestReasons(t *testing.T) {
	for written, want := range map[string][]string{
		// Three results for two receives: who is left over is open, that somebody is, is not.
		"P0: Recv(*,0) Recv(*,0)\nP1: Send(0,0)\nP2: Send(0,0)\nP3: Send(0,0)": {"surplus P2.0 Send"},
		"P0: Recv(*,0) Recv(*,0) Recv(*,0)\nP1: Send(0,0)\nP2: Send(0,0)":      {"surplus P0.2 Recv"},
		// Which of both Waitany reports decides whether the second waits for what never comes.
		"P0: Irecv(1,0)=a Irecv(1,1)=b Waitany(a,b) Waitany(a,b)\nP1: Send(0,0)": {
			"any of several P0.3 Waitany", "lost P0.1 Irecv"},
		"P0: Irecv(1,0)=a Irecv(1,1)=b Waitany(a,b) Send(1,2) Wait(b)\nP1: Isend(0,1) Recv(0,2) Send(0,0)":          {},
		"P0: Irecv(1,0)=a Irecv(1,1)=b Waitsome(a,b) Waitany(a,b) Send(1,2)\nP1: Isend(0,0) Isend(0,1)=c Recv(0,2)": {},
		"P0: Irecv(1,0)=a Irecv(1,1)=b Waitany(a,b) Waitany(a,b)\nP1: Send(0,0) Send(0,1)":                          {},
		// What has been waited for is over: only the other can be reported.
		"P0: Irecv(1,0)=a Irecv(1,1)=b Wait(a) Waitany(a,b)\nP1: Send(0,0)": {"no partner P0.3 Waitany"},
		// The probe sees a message, but the receive after it takes any.
		"P0: Probe(1,0) Recv(*,0) Recv(*,0)\nP1: Send(0,0)\nP2: Send(0,0)": {"unseen P0.0 Probe"},
		"P0: Probe(*,*) Recv(1,0)\nP1: Send(0,0)":                          {},
		"P0: Probe(1,0) Send(1,1) Recv(1,0)\nP1: Send(0,0) Recv(0,1)":      {"stuck P0.1 Send", "stuck P1.0 Send"},
		"P0: Bsend(1,0) Irecv(1,0)\nP1:":                                   {"lost P0.0 Bsend", "lost P0.1 Irecv"},
	} {
		l := parse(t, written)
		r := Log(l)
		if have := flagsWritten(l, r); !slices.Equal(have, want) {
			t.Errorf("%s\ngives %q, want %q", written, have, want)
		}
	}
}

// TestPartners names what a flagged call could meet.
func TestPartners(t *testing.T) {
	l := program(t, "dtg.txt")
	r := Log(l)
	var have []string
	for _, p := range r.Flags[0].Partners {
		have = append(have, call(l, p))
	}
	if want := []string{"P0.0 Recv", "P0.2 Recv"}; !slices.Equal(have, want) {
		t.Errorf("the contested send could meet %q, want %q", have, want)
	}
}

// FuzzLog screens whatever can be read.
func FuzzLog(f *testing.F) {
	for _, seed := range []string{
		"P0: Recv(*,0) Send(3,0) Recv(*,0)\nP1: Send(0,0) Send(3,0)\nP2: Recv(*,0) Send(0,0)\nP3: Recv(1,0) " +
			"Recv(0,0)\nP4: Send(2,0)",
		"P0: Irecv(*,*)=a Irecv(1,*,gone)=b Waitany(a,b) Waitsome(a,a) Probe(*,1)\nP0.1: Wait(0.0:a) " +
			"Barrier(seq=9)\nP1: Isend(0,1) Bcast(1,what=0x1)",
		"comm c: 0 0 1 / 0\nP0: Barrier(c) Barrier(c,seq=0) Recv(*,0)<-1 Recv(1,0)\nP1: Barrier(c) Barrier " +
			"Send(0,0)\nP2: Send(0,0)",
		"P0: S{coll(seq=1)=a coll(seq=0) served(null,0)=b wait(a,b) any} Waitall()\nP1: Ibarrier=a Waitany(a) Recv(?,0)",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, written string) {
		l, err := text.Read(strings.NewReader(written), "log")
		if err != nil || l.Head.Ranks > 1000 {
			return
		}
		r := Log(l)
		if r.Ended < len(l.Threads) && len(r.Flags) == 0 {
			t.Fatalf("%d of %d threads ended, and nothing is flagged", r.Ended, len(l.Threads))
		}
	})
}
