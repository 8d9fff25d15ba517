package judge

import (
	"context"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"unknot/internal/shmem/layout"
	"unknot/internal/vocab/finding"
)

// looks has the reader look at the PEs so many times, who find each time that they have to wait on; it gives the
// deadlock, if one is seen, and after how many looks.
func (s *script) looks(n int) (f *finding.Finding, after int) {
	s.t.Helper()
	for i := range n {
		for _, h := range s.streams {
			atomic.AddUint64(&h.Looks, 1)
		}
		if j := s.read(); j.looksStuck() {
			got := j.deadlock(s.program())
			run := finding.Run{Schema: finding.Schema, Ranks: len(j.pes), Findings: []finding.Finding{got}}
			if err := run.Validate(); err != nil {
				s.t.Error(err)
			}
			return &got, i + 1
		}
	}
	return nil, 0
}

func (s *script) locking(call string, pe int, kind uint8, at uint64) {
	s.t.Helper()
	s.record(pe, layout.Record{Kind: kind, Site: s.site(call), Offset: at, Size: 8, Count: 1})
}

// enters has a PE enter a barrier of all.
func (s *script) enters(call string, pe int) {
	s.t.Helper()
	s.record(pe, s.collective(call, pe, s.all(), layout.BarrierAll))
}

// TestPEsThatHangInCallsThatDifferAreToldWithThese has a barrier of some PEs be a broadcast of another one.
func TestPEsThatHangInCallsThatDifferAreToldWithThese(t *testing.T) {
	s := newScript(t, 3)
	s.record(0, s.collective("shmem_barrier_all:10", 0, s.all(), layout.BarrierAll))
	s.record(1, s.collective("shmem_sync_all:11", 1, s.all(), layout.SyncAll))
	s.record(2, s.collective("shmem_barrier_all:10", 2, s.all(), layout.BarrierAll))
	var told []finding.Finding
	for range patient + 5 {
		s.now = s.now.Add(interval)
		s.reader.discover()
		s.reader.turn(false)
		s.reader.look(func(f finding.Finding) { told = append(told, f) })
		if n := len(told); n > 0 && s.reader.jobs[jobNumber].since.seen < patient {
			t.Fatalf("%d were told after %d looks", n, s.reader.jobs[jobNumber].since.seen)
		}
	}
	if len(told) != 1 || told[0].Code != finding.SHMEMCollective || len(told[0].Notes) != 1 ||
		!strings.Contains(told[0].Notes[0].Text, "so the job was ended") {
		t.Fatalf("%+v", told)
	}
	if more, _ := s.reader.Finish(); len(more) > 0 {
		t.Errorf("told again: %+v", more)
	}
}

// TestDeadlocks has programs that hang, and what is said of them. "" are those that do not.
func TestDeadlocks(t *testing.T) {
	const wait, barrier = "shmem_long_wait_until:14", "shmem_barrier_all:10"
	for _, c := range []struct {
		name          string
		pes           int
		run           func(s *script)
		want          string
		ranks, others int
	}{
		{"one waits for a value, the other one in a barrier", 2, func(s *script) {
			s.enters(barrier, 0)
			s.waits(wait, 1, flg)
		}, "Deadlock: PE 0 waits in shmem_barrier_all (a.c:10) for PE 1, and PE 1 waits in shmem_long_wait_until " +
			"(a.c:14) for a value of a variable that is 1 (SHMEM_CMP_EQ), " +
			"which no PE can put any more.", 2, 0},
		{"a third one works on and may put the value", 3, func(s *script) {
			s.enters(barrier, 0)
			s.waits(wait, 1, flg)
		}, "", 0, 0},
		{"it has put something into its own memory, which may come", 2, func(s *script) {
			s.enters(barrier, 0)
			s.put(setFlag, 1, 1, flg)
			s.waits(wait, 1, flg)
		}, "", 0, 0},
		{"another thread of its process may store the value", 2, func(s *script) {
			s.record(1, layout.Record{Kind: layout.Threads, Size: 1})
			s.enters(barrier, 0)
			s.waits(wait, 1, flg)
		}, "", 0, 0},
		{"another thread of its process may call OpenSHMEM", 2, func(s *script) {
			s.record(0, layout.Record{Kind: layout.Threads, Size: 3})
			s.enters(barrier, 0)
			s.waits(wait, 1, flg)
		}, "", 0, 0},
		{"all are in the barrier", 2, func(s *script) {
			s.enters(barrier, 0)
			s.enters(barrier, 1)
		}, "", 0, 0},
		{"two collectives in different order", 4, func(s *script) {
			low, high := layout.NewSet(0, 0, 2), layout.NewSet(1, 0, 2)
			s.record(0, s.collective("shmem_barrier:10", 0, low, layout.Barrier))
			s.record(1, s.collective("shmem_barrier:11", 1, high, layout.Barrier))
			s.record(2, s.collective("shmem_barrier:12", 2, layout.NewSet(0, 1, 2), layout.Barrier))
			s.enters(barrier, 3)
		}, "Deadlock: PE 0 waits in shmem_barrier (a.c:10) for PE 1, PE 1 waits in shmem_barrier (a.c:11) for PE 2, " +
			"and PE 2 waits in shmem_barrier (a.c:12) for PE 0.", 3, 1},
		{"two locks in different order", 2, func(s *script) {
			s.locking("shmem_set_lock:8", 0, layout.Locked, data)
			s.locking("shmem_set_lock:18", 1, layout.Locked, flg)
			s.locking("shmem_set_lock:9", 0, layout.Locking, flg)
			s.locking("shmem_set_lock:19", 1, layout.Locking, data)
		}, "Deadlock: PE 0 waits in shmem_set_lock (a.c:9) for the lock in a variable that PE 1 has taken at a.c:18, " +
			"and PE 1 waits in shmem_set_lock (a.c:19) for " +
			"the lock in a variable that PE 0 has taken at a.c:8.", 2, 0},
		{"a lock that the PE has itself", 2, func(s *script) {
			s.locking("shmem_set_lock:8", 0, layout.Locked, data)
			s.locking("shmem_set_lock:9", 0, layout.Locking, data)
		}, "Deadlock: PE 0 waits in shmem_set_lock (a.c:9) for the lock in a variable that it has taken " +
			"itself at a.c:8.", 1, 0},
		{"a lock that was given back", 2, func(s *script) {
			s.locking("shmem_set_lock:8", 0, layout.Locked, data)
			s.locking("shmem_set_lock:19", 1, layout.Locking, data)
			s.locking("shmem_clear_lock:9", 0, layout.Unlock, data)
			s.enters(barrier, 0)
		}, "", 0, 0},
		{"one has ended", 2, func(s *script) {
			s.step("shmem_finalize:30", 0, layout.End)
			s.waits(wait, 1, flg)
		}, "Deadlock: PE 1 waits in shmem_long_wait_until (a.c:14) for a value of a variable that is 1 " +
			"(SHMEM_CMP_EQ), which no PE can put any more.", 1, 0},
		{"one has ended whom a barrier needs", 3, func(s *script) {
			s.step("shmem_finalize:30", 0, layout.End)
			s.enters(barrier, 1)
			s.enters(barrier, 2)
		}, "Deadlock: PE 0 has ended, and PE 1 waits in shmem_barrier_all (a.c:10) for PE 0.", 2, 1},
		{"all have ended", 2, func(s *script) {
			s.step("shmem_finalize:30", 0, layout.End)
			s.step("shmem_finalize:30", 1, layout.End)
		}, "", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(t, c.pes)
			c.run(s)
			f, after := s.looks(20)
			if f == nil {
				if c.want != "" {
					t.Fatal("nothing is seen")
				}
				return
			}
			if f.Sentence != c.want || len(f.Ranks) != c.ranks || len(f.Places) != c.ranks ||
				len(f.Others) != c.others || after != lookings || f.Hint == "" || f.Language != finding.OpenSHMEM {
				t.Errorf("after %d looks %+v\nwant %s", after, f, c.want)
			}
			if again, _ := s.looks(20); again != nil {
				t.Error("it is said twice")
			}
		})
	}
}

// TestADeadlockIsNotSeenWhileSomethingHappens has a PE go on, or not say that it has looked again.
func TestADeadlockIsNotSeenWhileSomethingHappens(t *testing.T) {
	s := newScript(t, 2)
	s.waits("shmem_long_wait_until:14", 0, flg)
	s.waits("shmem_long_wait_until:14", 1, flg)
	if f, _ := s.looks(lookings - 1); f != nil {
		t.Fatal("it is seen too early")
	}
	s.record(1, layout.Record{Kind: layout.Sees, Owner: 1, Offset: flg, Size: 8})
	if f, _ := s.looks(20); f != nil {
		t.Fatal("PE 1 goes on")
	}
	s.waits("shmem_long_wait_until:15", 1, flg)
	for range 20 {
		if s.read().looksStuck() {
			t.Fatal("the PEs have not said that they still wait")
		}
	}
	if f, after := s.looks(20); f == nil || after != 2 {
		t.Errorf("it is seen after %d looks, want 2", after)
	}
}

// TestAProcessThatHasDiedPutsNothing has the other PE's process end, after it was seen.
func TestAProcessThatHasDiedPutsNothing(t *testing.T) {
	s := newScript(t, 2)
	cmd := exec.Command("cat")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.streams[1].PID = uint64(cmd.Process.Pid)
	s.enters("shmem_barrier_all:10", 0)
	s.step("shmem_quiet:11", 1, layout.Quiet)
	if f, _ := s.looks(20); f != nil {
		t.Fatalf("the process is there, but %s", f.Sentence)
	}
	stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	f, _ := s.looks(20)
	if f == nil || f.Sentence != "Deadlock: PE 0 waits in shmem_barrier_all (a.c:10) for PE 1, and PE 1 has ended." {
		t.Errorf("got %+v", f)
	}
}

// TestPEsThatWaitForOneThatHasDiedAreNoDeadlock has the launcher leave PE 0 alone when PE 1 is killed: what is reported
// is the death, as if it had ended the job.
func TestPEsThatWaitForOneThatHasDiedAreNoDeadlock(t *testing.T) {
	s := newScript(t, 2)
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.streams[1].PID = uint64(cmd.Process.Pid)
	s.enters("shmem_barrier_all:10", 0)
	s.step("shmem_quiet:11", 1, layout.Quiet)
	var got []finding.Finding
	look := func() {
		s.read()
		s.reader.look(func(f finding.Finding) { got = append(got, f) })
	}
	look() // the process has been seen
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the process was not killed")
	}
	for range patient + 1 {
		look()
	}
	if len(got) != 1 || got[0].Code != finding.RankDied ||
		got[0].Sentence != "PE 1 was killed without notice (SIGKILL, or out of memory)." {
		t.Errorf("got %+v", got)
	}
}

// TestAProcessThatWasNeverSeenMayBeThere has its number be none that there is: it may count in another way.
func TestAProcessThatWasNeverSeenMayBeThere(t *testing.T) {
	s := newScript(t, 2)
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	s.streams[1].PID = uint64(cmd.ProcessState.Pid())
	s.enters("shmem_barrier_all:10", 0)
	if f, _ := s.looks(20); f != nil {
		t.Errorf("got %+v", f)
	}
}

// TestNothingIsSaidWhileRecordsAreMissing has a record whose ticket has no record before it.
func TestNothingIsSaidWhileRecordsAreMissing(t *testing.T) {
	s := newScript(t, 2)
	s.enters("shmem_barrier_all:10", 0)
	s.ticket++
	s.waits("shmem_long_wait_until:14", 1, flg)
	if f, _ := s.looks(20); f != nil {
		t.Error("a record is missing, but a deadlock is seen")
	}
	s.now = s.now.Add(patience)
	if f, _ := s.looks(20); f == nil {
		t.Error("the record is given up, but no deadlock is seen")
	}
}

// TestALookSaysWhatItSees has the reader say it by the function that it was given, with what is known of the program.
func TestALookSaysWhatItSees(t *testing.T) {
	s := newScript(t, 1)
	s.waits("", 0, flg)
	var got []finding.Finding
	for range 20 {
		atomic.AddUint64(&s.streams[0].Looks, 1)
		s.read()
		s.reader.look(func(f finding.Finding) { got = append(got, f) })
	}
	if len(got) != 1 || got[0].Code != finding.SHMEMDeadlock || got[0].Places[0].Call != "a function of OpenSHMEM" {
		t.Errorf("got %+v", got)
	}
}

// TestAReaderThatRunsSeesADeadlock has it run, with a clock that advances with each look at it.
func TestAReaderThatRunsSeesADeadlock(t *testing.T) {
	s := newScript(t, 2)
	s.enters("shmem_barrier_all:10", 0)
	s.waits("shmem_long_wait_until:14", 1, flg)
	looks := &s.streams[1].Looks
	s.reader.clock = func() time.Time {
		s.now = s.now.Add(interval)
		atomic.AddUint64(looks, 1)
		return s.now
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var got []finding.Finding
	s.reader.Run(ctx, func(f finding.Finding) {
		got = append(got, f)
		stop()
	})
	if len(got) != 1 || got[0].Code != finding.SHMEMDeadlock || len(got[0].Ranks) != 2 {
		t.Errorf("got %+v", got)
	}
}
