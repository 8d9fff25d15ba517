//go:build !quick

package hosted

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/vocab/finding"
)

// harm is something that happens to a job in its middle.
type harm struct {
	name string
	do   func(s stricken, r *rand.Rand)
	// fatal says that the job itself may end by it; blind that something is not known any more, so that a deadlock may
	// be missed; kept that nobody is left to remove a session, which the next job on the host does, unless the ranks
	// come to their ends.
	fatal, blind, kept bool
}

// aRank matches the command lines of ranks, as Site.Compile names programs.
const aRank = `^[^ ]*/testdata-[0-9a-f]+ `

// stricken are the hosts of a job, which may be over when something happens to them.
type stricken struct {
	*Site
	over bool
}

func (s stricken) signal(host, pattern string, signal syscall.Signal) {
	if s.over {
		s.SignalThoseLeft(host, pattern, signal)
	} else {
		s.Signal(host, pattern, signal)
	}
}

// paths are between which hosts there may be links.
func paths() [][2]string {
	return [][2]string{{"front", "node1"}, {"front", "node2"}, {"node1", "node2"}}
}

func harms() []harm {
	// how long it lasts is part of what happens
	pause := func(r *rand.Rand) { time.Sleep(time.Duration(r.IntN(1500)) * time.Millisecond) }
	node := func(r *rand.Rand) string { return []string{"node1", "node2"}[r.IntN(2)] }
	halted := func(host, pattern string) func(stricken, *rand.Rand) {
		return func(s stricken, r *rand.Rand) {
			at := host
			if at == "" {
				at = node(r)
			}
			s.signal(at, pattern, syscall.SIGSTOP)
			pause(r)
			s.signal(at, pattern, syscall.SIGCONT)
		}
	}
	return []harm{
		{name: "nothing", do: func(stricken, *rand.Rand) {}},
		{name: "agent killed", blind: true, do: func(s stricken, r *rand.Rand) {
			s.signal(node(r), "agent --joined", syscall.SIGKILL)
		}},
		{name: "agent and guard killed", blind: true, kept: true, do: func(s stricken, r *rand.Rand) {
			s.signal(node(r), "agent --(joined|guard)", syscall.SIGKILL)
		}},
		{name: "root killed", blind: true, do: func(s stricken, r *rand.Rand) {
			s.signal("front", "agent --session", syscall.SIGKILL)
		}},
		{name: "agent stopped for a while", do: halted("", "agent --joined")},
		{name: "root stopped for a while", do: halted("front", "agent --session")},
		{name: "rank stopped for a while", do: halted("", aRank)},
		{name: "link cut for a while", do: func(s stricken, r *rand.Rand) {
			at := paths()[r.IntN(3)]
			s.Cut(at[0], at[1])
			pause(r)
			s.Heal(at[0], at[1])
		}},
		{name: "link delayed", do: func(s stricken, r *rand.Rand) {
			at := paths()[r.IntN(3)]
			s.Delay(at[0], at[1], time.Duration(r.IntN(200))*time.Millisecond)
		}},
		{name: "rank killed", fatal: true, blind: true, do: func(s stricken, r *rand.Rand) {
			s.signal(node(r), aRank, syscall.SIGKILL)
		}},
	}
}

// TestChaos lets something random happen to random jobs over hosts. A job that is not itself harmed ends as it does
// without unknot, nothing is left behind anywhere, nothing is reported that is not there, and what is there is reported
// unless it cannot be known. 20 jobs here, 200 nightly; it prints what became of them.
func TestChaos(t *testing.T) {
	t.Parallel()
	jobs, seed := 20, rand.Uint64()
	if testkit.Nightly() {
		jobs = 200
	}
	if text := os.Getenv("UNKNOT_SEED"); text != "" {
		fmt.Sscan(text, &seed)
	}
	t.Logf("UNKNOT_SEED=%d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	s := New(t, hosts.Options{})
	all, outcomes := harms(), make(map[string]int)
	for i := range jobs {
		h := all[i%len(all)]
		mpi, how := testkit.Both()[i/len(all)%2], []string{"", "hang"}[r.IntN(2)]
		name := fmt.Sprintf("%d/%s/%s/%s", i, mpi, strings.ReplaceAll(h.name, " ", "-"), how)
		t.Run(name, func(t *testing.T) {
			outcomes[h.name+": "+chaos(t, s, r, h, mpi, how)]++
		})
	}
	for _, o := range slices.Sorted(maps.Keys(outcomes)) {
		t.Logf("%3d × %s", outcomes[o], o)
	}
}

// chaos runs one job and says what became of it.
func chaos(t *testing.T, s *Site, r *rand.Rand, h harm, mpi, how string) string {
	gate := filepath.Join(s.Dir, "gate")
	if err := os.RemoveAll(gate); err != nil {
		t.Fatal(err)
	}
	// what hosts leave out together is half done when something happens
	program := []string{"testdata/phases.c", "testdata/rounds.c"}[r.IntN(2)]
	argv := slices.Concat(Launcher(mpi, 4, "node1", "node2"), s.Compile(t, program, mpi), []string{gate, how})
	j := s.Start(t, soon, argv...)
	j.Await(t, "phase 1 is over")
	late := r.IntN(2) == 0
	open := func() {
		if err := os.WriteFile(gate, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if late {
		open()
	}
	h.do(stricken{s, late}, r)
	if !late {
		open()
	}
	o := j.WaitOrEnd(t, how == "hang" && h.blind)
	defer func() {
		for _, at := range paths() {
			s.Heal(at[0], at[1])
		}
		if !h.kept || how != "hang" && !late { // late, ranks may have come to their ends before
			s.Clean(t)
		}
		if t.Failed() {
			t.Logf("%s", o.Output)
		}
	}()
	deadlocks := 0
	for _, f := range o.Run.Findings {
		switch {
		case f.Code == finding.Deadlock && how == "hang" && slices.Equal(f.Ranks, []int{0, 1}):
			deadlocks++
		case f.Code == finding.RankDied && h.fatal:
		case f.Code == finding.Interrupted && how == "hang" && deadlocks == 0 && strings.Contains(f.Sentence,
			"no longer watched"):
		default:
			t.Errorf("reported, but not there: %s %v: %s", f.Code, f.Ranks, f.Sentence)
		}
	}
	switch {
	case how == "hang" && deadlocks == 1:
		return "deadlock reported"
	case how == "hang" && h.blind:
		return "deadlock not known"
	case how == "hang":
		t.Errorf("the deadlock is not reported")
		return "deadlock missed"
	case h.fatal && o.Exit != 0: // the rank may have been killed after rank 0 had printed its last line
		return "job ended by it"
	case !strings.Contains(o.Output, "phase 2 is over") || o.Exit != 0:
		t.Errorf("exit status %d", o.Exit)
		return "job disturbed"
	case !o.Run.Complete:
		return "job unharmed, report says what is not known"
	}
	return "job unharmed"
}
