package explain

import (
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// stuck is a thread in a call that has what it needs, in a process that does something.
func stuck(r op.Rank, call string, w message.Within, needs ...waitstate.Need) Member {
	m := inside(r, call, -1, 60)
	m.State, m.Described.Still, m.Described.Shape.Within = message.Blocked, true, &w
	for i := range needs {
		needs[i].Met, needs[i].Free = true, true
		m.Needs = append(m.Needs, Need{Need: &needs[i]})
	}
	return m
}

func TestCallsThatAreHeldUpAreNamedWithWhatTheyMatch(t *testing.T) {
	from := waitstate.Need{Kind: waitstate.NeedMessage, Rank: 1, Index: -1}
	anyOf := waitstate.Need{Kind: waitstate.NeedMessage, Rank: op.AnySource, Index: -1}
	anyOf.There = 2
	to := waitstate.Need{Kind: waitstate.NeedReceive, Rank: 0, Index: -1}
	all := waitstate.Need{Kind: waitstate.NeedMembers, Ctx: 7, Seq: 3, Index: -1}
	spins := message.Within{Process: "running", Library: "Open MPI 4.1.4", Parts: []string{"mca_pml_ucx.so",
		"libucp.so.0"}, Settings: []string{"UCX_TLS=sm"}}
	sleeps := message.Within{Process: "asleep", SystemCall: "poll", In: "ucp_worker_wait in libucp.so.0"}
	const held = "The MPI library has not completed matching calls for 60 s: "
	for _, c := range []struct {
		members []Member
		says    string
		sure    string
		notes   string
	}{
		{[]Member{stuck(0, "MPI_Recv", spins, from), stuck(1, "MPI_Ssend", sleeps, to)},
			held + "rank 0 is in MPI_Recv, and rank 1 has sent a matching message; rank 1 is in MPI_Ssend, and rank " +
				"0 has posted a matching receive.", finding.High,
			"rank 0: spinning|rank 1: asleep in poll, called by ucp_worker_wait in libucp.so.0|" +
				"Open MPI 4.1.4; loaded: UCX, pml ucx; set: UCX_TLS=sm|confidence: high"},
		{[]Member{stuck(0, "MPI_Recv", spins, anyOf)},
			held + "rank 0 is in MPI_Recv, and rank 2 has sent a matching message.", finding.Medium,
			"rank 0: spinning|Open MPI 4.1.4; loaded: UCX, pml ucx; set: UCX_TLS=sm|confidence: medium"},
		{[]Member{stuck(0, "MPI_Barrier", spins, all), stuck(2, "MPI_Barrier", spins, all)},
			held + "ranks 0 and 2 are in MPI_Barrier, and all ranks of the communicator have called it.", finding.High,
			"ranks 0 and 2: spinning|"},
		{[]Member{stuck(0, "MPI_Waitall", spins, from, to)},
			held + "rank 0 is in MPI_Waitall, and each of the 2 operations that it waits for has its match.",
			finding.High, "rank 0: spinning|"},
	} {
		h := HeldUp{Still: time.Minute}
		h.Members = c.members
		f := h.Finding()
		if f.Sentence != c.says || f.Confidence != c.sure || f.Severity != finding.Info {
			t.Errorf("%s (%s, %s), want %s", f.Sentence, f.Severity, f.Confidence, c.says)
		}
		var notes []string
		for _, n := range f.Notes {
			notes = append(notes, n.Text)
		}
		if all := strings.Join(notes, "|"); !strings.HasPrefix(all, c.notes) {
			t.Errorf("notes %s, want %s", all, c.notes)
		}
	}
}

func TestWhatToTryFirstDependsOnTheTransport(t *testing.T) {
	for _, c := range []struct {
		library string
		parts   []string
		set     []string
		says    string
	}{
		{"Open MPI 5.0.3", []string{"mca_pml_ucx.so"}, nil, "--mca pml ob1"},
		{"Open MPI 4.1.4", []string{"mca_mtl_ofi.so"}, nil, "--mca pml ob1 --mca btl tcp,self"},
		{"Open MPI 4.1.4", []string{"mca_btl_vader.so"}, nil, "btl_vader_single_copy_mechanism none"},
		{"MPICH 4.0.2", []string{"libucp.so.0"}, nil, "UCX_TLS=tcp,self"},
		{"MPICH 4.2.0", []string{"libfabric.so.1"}, nil, "FI_PROVIDER=tcp"},
		{"MPICH 4.0.2", []string{"libucp.so.0"}, []string{"UCX_TLS=tcp,self"},
			"run once more with its shared memory (UCX_TLS=sm,self); if that helps, report it"},
		{"Open MPI 4.1.4", []string{"mca_pml_ucx.so"}, []string{"OMPI_MCA_pml=ob1", "UCX_TLS=tcp,self"},
			"report it to the library's developers"},
		{"", nil, nil, "another transport of the MPI library"},
	} {
		w := message.Within{Library: c.library, Parts: c.parts, Settings: c.set}
		h := HeldUp{}
		h.Members = []Member{stuck(0, "MPI_Recv", w, waitstate.Need{Kind: waitstate.NeedMessage, Rank: 1})}
		if f := h.Finding(); !strings.Contains(f.Hint, c.says) {
			t.Errorf("%s with %v: %s, want %s", c.library, c.parts, f.Hint, c.says)
		}
	}
}

func TestWhatAProcessDoesInTheLibrary(t *testing.T) {
	for want, w := range map[string]*message.Within{
		"":                           nil,
		"spinning":                   {Process: "running", SystemCall: "sched_yield"},
		"running in write on a pipe": {Process: "running", SystemCall: "write", On: "pipe:[4]"},
		"asleep in write on a pipe":  {Process: "asleep", SystemCall: "write", On: "pipe:[4]"},
		"waiting for another thread (futex), called by f in libx.so": {Process: "asleep", SystemCall: "futex",
			In: "f in libx.so"},
		"in an uninterruptible sleep of the system": {Process: "uninterruptible"},
		"in an uninterruptible sleep of the system, in read on /nfs/file": {Process: "uninterruptible",
			SystemCall: "read", On: "/nfs/file"},
	} {
		if got := activity(w); got != want {
			t.Errorf("%+v: %q, want %q", w, got, want)
		}
	}
}

// TestARankThatIsStoppedInACallWaitsForThat: it is the place's reason.
func TestARankThatIsStoppedInACallWaitsForThat(t *testing.T) {
	s := Standstill{Still: time.Minute, Size: 1}
	s.Members = []Member{inside(0, "MPI_Recv", -1, 60)}
	s.Members[0].Described.Place.Stay.Process = "stopped"
	f, _ := s.Finding()
	if want := "its process to continue: stopped by a signal"; f.Places[0].Reason != want {
		t.Errorf("%q, want %q", f.Places[0].Reason, want)
	}
}

// TestRanksThatNeedNotProgressAreNoted: the other side has called, and is outside of MPI now.
func TestRanksThatNeedNotProgressAreNoted(t *testing.T) {
	s := Standstill{Still: time.Minute, Size: 2}
	waits := inside(0, "MPI_Recv", 1, 60)
	waits.Idlers = []op.Rank{1}
	s.Members = []Member{waits, outside(1, 88, finding.Stay{Seconds: 60, Process: "running"})}
	f, _ := s.Finding()
	const want = "what rank 0 waits for has been called on both sides; the MPI library need not complete it before " +
		"rank 1 calls MPI again (MPI-4.1, 2.9)"
	if !slices.ContainsFunc(f.Notes, func(n finding.Note) bool { return n.Text == want }) {
		t.Errorf("%+v, want %s", f.Notes, want)
	}
}
