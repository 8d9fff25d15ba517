package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"unknot/internal/agent"
	"unknot/internal/agent/kernel"
	"unknot/internal/agent/proto"
	"unknot/internal/check"
	"unknot/internal/observe/ring"
	"unknot/internal/root/detect"
	"unknot/internal/root/link"
	"unknot/internal/root/parts"
	"unknot/internal/root/tree"
	"unknot/internal/say/explain"
	"unknot/internal/trace"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// idle is a process of the job that watches nobody yet, with what it says.
func idle(t *testing.T, o agent.Options) (*process, *strings.Builder) {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	session, err := ring.NewSession(ring.Options{Dir: filepath.Join(t.TempDir(), "session")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	p := emptyProcess(o, table, session, agent.World{Processes: kernel.Living()})
	said := new(strings.Builder)
	p.out = proto.NewWriter(said)
	return p, said
}

// heardNotes are the remarks in what a process said.
func heardNotes(said *strings.Builder) (list []string) {
	for from := proto.NewReader(strings.NewReader(said.String())); ; {
		m, err := from.Receive()
		if err != nil {
			return list
		}
		list = append(list, m.Text)
	}
}

// TestRingsAreLookedForAsOftenAsTheyMayAppear says how long a process waits until it looks again.
func TestRingsAreLookedForAsOftenAsTheyMayAppear(t *testing.T) {
	network := new(tree.Network[message.Message])
	for _, c := range []struct {
		what   string
		change func(p *process)
		want   time.Duration
	}{
		{"nothing is there", func(*process) {}, discoverFirst},
		{"a ring is there", func(p *process) { p.waiting[7] = nil }, discoverRanks},
		{"a rank is there", func(p *process) { p.size = 2 }, discoverRanks},
		{"one of two ranks is watched", func(p *process) { p.size, p.net, p.ranks[0] = 2, network, 7 }, discoverRanks},
		{"both are", func(p *process) { p.size, p.net, p.ranks[0], p.ranks[1] = 2, network, 7, 8 }, discoverThreads},
		{"one of two, with other hosts", func(p *process) { p.size, p.net, p.hosts = 2, network, new(hosts) },
			discoverHosts},
		{"on another host", func(p *process) { p.size, p.net, p.node = 2, network, new(node) }, discoverHosts},
		{"on another host, before all are known", func(p *process) { p.size, p.node = 2, new(node) }, discoverFirst},
	} {
		p := emptyProcess(agent.Options{}, nil, nil, agent.World{})
		if c.change(p); p.discoverNext() != c.want {
			t.Errorf("%s: %v, want %v", c.what, p.discoverNext(), c.want)
		}
	}
}

func TestARemarkIsMadeOnce(t *testing.T) {
	p, said := idle(t, agent.Options{})
	for _, text := range []string{"a", "b", "a"} {
		p.note(text)
	}
	if got := fmt.Sprint(heardNotes(said)); got != "[a b]" {
		t.Errorf("it notes %s", got)
	}
}

// TestARingThatCannotBeReadIsDamage loses rings of a rank that is known, and of one that is not.
func TestARingThatCannotBeReadIsDamage(t *testing.T) {
	p, _ := idle(t, agent.Options{})
	p.main[7] = 3
	p.lose(7, os.ErrInvalid)
	p.lose(8, os.ErrInvalid)
	if len(p.parked) != 1 || p.parked[0].Hello.Rank != 3 || p.parked[0].Damage == nil || p.refused[7] || !p.refused[8] {
		t.Errorf("the agent will learn %+v; refused: %v", p.parked, p.refused)
	}
}

// TestAllRanksHaveReturnedFromMPIFinalize asks for that as ranks come and go.
func TestAllRanksHaveReturnedFromMPIFinalize(t *testing.T) {
	p, _ := idle(t, agent.Options{})
	if p.allFinal() {
		t.Error("without ranks, all have returned")
	}
	ranks := []*rank{start(t, p.session.Dir), start(t, p.session.Dir)}
	for i, x := range ranks {
		x.says(i, 2, mpich)
		p.main[x.c.Process.Pid] = op.Rank(i)
	}
	rings, err := p.session.Discover()
	if err != nil || len(rings) != 2 {
		t.Fatal(err)
	}
	p.opened = rings
	for i, x := range ranks {
		if p.allFinal() || p.allOver() {
			t.Errorf("%d of 2 have returned, and all count as such", i)
		}
		x.finalizes()
	}
	if !p.allFinal() {
		t.Error("all have returned, and do not count as such")
	}
	t.Setenv("SLURM_JOB_ID", "")
	if p.allOver() {
		t.Error("processes that are there count as gone")
	}
	t.Setenv("SLURM_JOB_ID", "5") // where ranks wait in MPI_Finalize
	if !p.allOver() || !p.final {
		t.Error("ranks that wait in MPI_Finalize are not over")
	}
	p.final = false
	for _, x := range ranks {
		x.end()
	}
	if !p.allOver() || p.final {
		t.Error("ranks that have ended are not over")
	}
	delete(p.main, ranks[0].c.Process.Pid)
	p.ranks = map[op.Rank]int{3: 1, 1: 2, 2: 3}
	if got := fmt.Sprint(p.watchedRanks(), p.watched()); got != "[1 2 3] 3" {
		t.Errorf("watched: %s", got)
	}
}

// wrongCalls are what processes 7 and 8 have left: 8 is rank 1.
const wrongCalls = `before 12 MPI_Comm_size 0x1020 -1 0x0
before 12 MPI_Comm_size 0x1020 -1 0x0
again 4 MPI_Init 0x1030 0 0x0
freed 9 MPI_Type_free 0x1040 0 0x0
`

// TestCallsOutsideOfMPIsLifeAreSummedUp says what the root learns of calls, by the checks that are on.
func TestCallsOutsideOfMPIsLifeAreSummedUp(t *testing.T) {
	for checks, want := range map[string]string{
		"": "outside-mpi before MPI_Comm_size 3 of [-1 1]; init-twice again MPI_Init 2 of [0 1]; " +
			"outside-mpi after MPI_Comm_free 1 of [1] frees communicator; freed [0 1]",
		"-outside-mpi": "init-twice again MPI_Init 2 of [0 1]; freed [0 1]",
		"-init-twice": "outside-mpi before MPI_Comm_size 3 of [-1 1]; outside-mpi after MPI_Comm_free 1 of [1] " +
			"frees communicator; " +
			"freed [0 1]",
	} {
		selection, err := check.ParseSelection(checks)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := idle(t, agent.Options{Checks: selection})
		p.main[8], p.size = 1, 2
		for name, text := range map[string]string{"7": wrongCalls, "8": "before 12 MPI_Comm_size 0x1020 -1 0x0\n" +
			"again 4 MPI_Init 0x1030 9 0x0\nafter 30 MPI_Comm_free 0x1050 1 0x0\nfreed 9 MPI_Type_free 0x1040 0 " +
			"0x0\n"} {
			if err := os.WriteFile(filepath.Join(p.session.Dir, ring.OutsidePrefix+name), []byte(text),
				0o600); err != nil {
				t.Fatal(err)
			}
		}
		ended := p.outside()
		var got []string
		for _, o := range ended.Outside {
			var ranks []int
			for _, place := range o.Places {
				ranks = append(ranks, place.Rank)
			}
			text := fmt.Sprint(o.Code, " ", o.When, " ", o.Function, " ", o.Count, " of ", ranks)
			if o.Frees != mpi.NoObject {
				text += fmt.Sprint(" frees ", o.Frees)
			}
			got = append(got, text)
		}
		got = append(got, fmt.Sprint("freed ", ended.Freed))
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("--check %s: %s\nwant %s", checks, text, want)
		}
	}
}

// TestCallsOfNobodyAreReportedByTheProcess leaves those of ranks to the root, if there is one.
func TestCallsOfNobodyAreReportedByTheProcess(t *testing.T) {
	calls := func() detect.Ended {
		return detect.Ended{Outside: []message.Outside{
			{Code: "outside-mpi", When: "before", Function: "MPI_Comm_size", Count: 1,
				Places: []finding.Place{{Rank: finding.NoRank}}},
			{Code: "outside-mpi", When: "after", Function: "MPI_Comm_rank", Count: 1,
				Places: []finding.Place{{Rank: 1}}}}}
	}
	p, said := idle(t, agent.Options{})
	all := calls()
	if p.tellNobodys(&all); len(all.Outside) != 0 || strings.Count(said.String(), "\n") != 2 {
		t.Errorf("without a root it says %s and leaves %d", said, len(all.Outside))
	}
	p, said = idle(t, agent.Options{})
	p.net = new(tree.Network[message.Message])
	all = calls()
	if p.tellNobodys(&all); len(all.Outside) != 1 || all.Outside[0].Function != "MPI_Comm_rank" ||
		!strings.Contains(said.String(), "MPI_Comm_size") || strings.Contains(said.String(), "MPI_Comm_rank") {
		t.Errorf("it says %s and leaves %+v", said, all.Outside)
	}
}

// TestAStackEndsBeforeWhatStartsAProgram drops frames that say nothing of the user's code.
func TestAStackEndsBeforeWhatStartsAProgram(t *testing.T) {
	for want, frames := range map[int][]finding.Frame{
		0: nil, 2: {{Function: "f"}, {Function: "main"}, {Function: "_start"}},
		3: {{Function: "f"}, {Function: "_start"}, {Function: "main"}, {Function: "a", Library: "ld-linux-x86-64.so.2"},
			{Function: "_GLOBAL__sub_I_x"}},
		1: {{Function: "_start"}},
	} {
		if got := trimEnd(frames); len(got) != want {
			t.Errorf("%v: %d frames are left, want %d", frames, len(got), want)
		}
	}
}

// TestWhatNobodyHearsIsLeftInAPart loses the supervisor before or after the last word.
func TestWhatNobodyHearsIsLeftInAPart(t *testing.T) {
	for _, c := range []struct {
		hears  int
		begun  bool
		parted bool
	}{{0, true, true}, {1, true, true}, {2, true, false}, {0, false, false}} {
		dir := filepath.Join(t.TempDir(), "parts")
		p, _ := idle(t, agent.Options{Parts: dir, Job: "9", Version: "test", Command: []string{"./app"}})
		s := &transcript{to: &deaf{hears: c.hears}}
		out := proto.NewWriter(s)
		_ = out.Send(proto.Message{Type: proto.Hello, Ranks: 2})
		_ = out.Send(proto.Message{Type: proto.Done, Traffic: proto.Traffic{Calls: 9}})
		if p.size = 2; c.begun {
			p.net = new(tree.Network[message.Message])
		}
		if err := p.keepUnsent(s); err != nil {
			t.Fatal(err)
		}
		set, err := parts.Read(dir, p.table)
		if !c.parted {
			if err == nil {
				t.Errorf("%+v: a part is left", c)
			}
			continue
		}
		if err != nil || set.Root == nil {
			t.Fatalf("%+v: %v", c, err)
		}
		h := set.Root.Head
		if h.Job != "9" || h.Size != 2 || h.Process != supervisorsHost || !h.Whole || strings.Count(h.Said, "\n") != 2 {
			t.Errorf("%+v: the part says %+v", c, h)
		}
	}
}

// TestTracesOfHostsBecomeOne joins what a host has sent to the trace of this one.
func TestTracesOfHostsBecomeOne(t *testing.T) {
	write := func(path string) []byte {
		t.Helper()
		w, err := tracefile.Create(path, trace.Head{Ranks: 2})
		if err != nil {
			t.Fatal(err)
		}
		w.Head(trace.Head{Ranks: 2, MPI: "MPICH 4.0.2"})
		if err := w.Close(""); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	sent := write(filepath.Join(t.TempDir(), "sent"))
	for _, c := range []struct {
		what   string
		remote remote
		cut    string
	}{
		{"a trace", remote{ranks: []op.Rank{1}, trace: sent}, ""},
		{"no trace", remote{ranks: []op.Rank{1}}, "node2: " + explain.ErrNoTrace.Error()},
		{"what is no trace", remote{ranks: []op.Rank{1}, trace: []byte("nonsense")}, "node2: "},
		{"no trace of a host without ranks", remote{}, ""},
	} {
		p, _ := idle(t, agent.Options{})
		path := filepath.Join(t.TempDir(), "trace")
		write(path)
		c.remote.host, c.remote.number = "node2", 1
		h := &hosts{p: p, remotes: []*remote{{}, &c.remote}}
		if err := h.joinTraces(path); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		survey, err := tracefile.Look(path)
		if err != nil || !strings.HasPrefix(survey.Cut, c.cut) || (survey.Cut == "") != (c.cut == "") {
			t.Errorf("%s: the trace is cut by %q, %v; want %q", c.what, survey.Cut, err, c.cut)
		}
		if left, _ := filepath.Glob(filepath.Join(p.session.Dir, "trace.*")); len(left) > 0 {
			t.Errorf("%s: %s are left", c.what, left)
		}
	}
}

// TestHostsThatCannotReachEachOtherAreNamedOnce has hosts complain of others.
func TestHostsThatCannotReachEachOtherAreNamedOnce(t *testing.T) {
	p, said := idle(t, agent.Options{})
	h := &hosts{p: p, remotes: []*remote{{host: "a"}, {host: "b", number: 1}, {host: "c", number: 2, lost: time.Now()}}}
	for _, process := range []int{-1, 0, 3, 2} { // no other host, and one that is lost
		h.detour(h.remotes[1], &noWay{Process: process, Why: "firewall"})
	}
	if said.String() != "" {
		t.Errorf("it says %s", said)
	}
	for range 2 {
		h.detour(h.remotes[2], &noWay{Process: 1, Why: "firewall"})
	}
	if got := heardNotes(said); len(got) != 1 || got[0] != explain.Detour("c", "b", "firewall") {
		t.Errorf("it notes %q", got)
	}
	h.noWay, h.ending = false, true
	if h.detour(h.remotes[2], &noWay{Process: 1}); h.noWay {
		t.Error("it is noted at the end of the job")
	}
}

// TestAJobIsThroughWhenRanksOfOtherHostsWait says when nothing is left to be seen.
func TestAJobIsThroughWhenRanksOfOtherHostsWait(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(h *hosts)
		want   bool
	}{
		{"all ranks of two hosts wait", func(*hosts) {}, true},
		{"one of them does not", func(h *hosts) { h.remotes[2].final = false }, false},
		{"one that is lost does not", func(h *hosts) { h.remotes[2].final, h.remotes[2].lost = false, time.Now() },
			true},
		{"a host without ranks", func(h *hosts) { h.remotes = append(h.remotes, &remote{number: 3}) }, true},
		{"nobody watches yet", func(h *hosts) { h.p.net = nil }, false},
		{"a rank is missing", func(h *hosts) { h.p.size = 3 }, false},
		{"a rank of this host does not wait", func(h *hosts) { h.own().ranks, h.p.size = []op.Rank{2}, 3 }, false},
		{"all ranks of this host alone", func(h *hosts) { h.remotes = h.remotes[:1] }, false},
	} {
		p, _ := idle(t, agent.Options{})
		p.net, p.size = new(tree.Network[message.Message]), 2
		h := &hosts{p: p, remotes: []*remote{{}, {number: 1, ranks: []op.Rank{0}, final: true},
			{number: 2, ranks: []op.Rank{1}, final: true}}}
		if c.change(h); h.through() != c.want {
			t.Errorf("%s: through: %v", c.what, !c.want)
		}
	}
}

// linked are two processes of other hosts, with links, and the other ends of these.
func linked(t *testing.T) (list []*remote, ends []*link.Link) {
	t.Helper()
	key, err := link.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	accepted := make(chan *link.Link, 1)
	hub, err := link.Listen(key, []string{"127.0.0.1:0"}, "test", func(l *link.Link) { accepted <- l })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(hub.Close)
	for i := range 2 {
		end, err := link.Dial(t.Context(), key, hub.Addresses(), "test", nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(end.Abort)
		list = append(list, &remote{number: i + 1, host: fmt.Sprint("node", i+1), link: <-accepted})
		ends = append(ends, end)
	}
	return list, ends
}

// hears is the next control at the end of a link.
func hears(t *testing.T, l *link.Link) *control {
	t.Helper()
	text, err := l.Receive()
	if err != nil {
		t.Fatal(err)
	}
	c, err := readControl(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestThreadsOfUPCAreAskedAgainWhenAllHostsHaveAnswered asks two hosts, of which one is lost in the second round.
func TestThreadsOfUPCAreAskedAgainWhenAllHostsHaveAnswered(t *testing.T) {
	p, said := idle(t, agent.Options{})
	others, ends := linked(t)
	h := &hosts{p: p, remotes: append([]*remote{{}}, others...), carrier: newCarrier(p.table, nil)}
	h.askThreads()
	if h.threads.look != 0 {
		t.Error("hosts are asked, and there are no threads of UPC")
	}
	h.threads.on = true
	ask := func(look int) {
		t.Helper()
		h.threads.at = time.Time{} // it is time
		if h.askThreads(); h.threads.look != look {
			t.Errorf("hosts were asked %d times, want %d", h.threads.look, look)
		}
	}
	ask(1)
	for _, end := range ends {
		if c := hears(t, end); c.Look != 1 {
			t.Errorf("a host hears %+v", c)
		}
	}
	ask(1) // as nobody has answered
	h.takeThreads(others[0], &threadsTold{Look: 1})
	h.takeThreads(others[0], &threadsTold{Look: 1})
	ask(1)
	h.takeThreads(others[1], &threadsTold{Look: 1})
	if h.askThreads(); h.threads.look != 2 {
		t.Error("hosts are not asked again when all have answered")
	}
	h.takeThreads(others[0], &threadsTold{Look: 2})
	h.takeThreads(others[1], &threadsTold{Look: 1}) // an answer of before
	ask(2)
	h.lose(others[1])
	if c := hears(t, ends[0]); c.Look != 2 {
		t.Errorf("the first host hears %+v", c)
	}
	if c := hears(t, ends[0]); c.Gone != 2 {
		t.Errorf("the first host hears %+v, and the second one is lost", c)
	}
	ask(3)
	h.ending, h.threads.missing = true, nil
	ask(3)
	if said.String() != "" {
		t.Errorf("it says %s", said)
	}
}

// TestWhoSaysNothingIsLost waits for hosts that have not answered in the end.
func TestWhoSaysNothingIsLost(t *testing.T) {
	p, _ := idle(t, agent.Options{})
	others, _ := linked(t)
	h := &hosts{p: p, remotes: append([]*remote{{}}, others...), carrier: newCarrier(p.table, nil)}
	answered := func(r *remote) bool { return r.last != nil }
	others[0].last = new(last)
	if h.giveUp(time.Nanosecond, answered); !others[1].lost.IsZero() {
		t.Error("a host that can be reached is lost before the time")
	}
	if !h.awaited(answered) {
		t.Error("no host is waited for")
	}
	h.giveUp(0, answered)
	if others[1].lost.IsZero() || !others[0].lost.IsZero() {
		t.Error("in the end, who has said nothing is not lost, or who has is")
	}
	if h.awaited(answered) {
		t.Error("a lost host is waited for")
	}
}

// TestRanksAreWatchedOnHostsThatAreNotLost counts them: what a lost host has said before its end counts.
func TestRanksAreWatchedOnHostsThatAreNotLost(t *testing.T) {
	h := &hosts{remotes: []*remote{{host: "a", ranks: []op.Rank{0, 1}}, {host: "b", ranks: []op.Rank{2},
		lost: time.Now()},
		{host: "c", ranks: []op.Rank{3, 4, 5}, lost: time.Now(), last: new(last)}, {host: "a", ranks: []op.Rank{6}}}}
	if got := h.watched(); got != 6 {
		t.Errorf("%d ranks have been watched, want 6", got)
	}
	l := layout{Agents: []share{{Process: 2}, {Process: 0}, {Process: 1}, {Process: 2}, {Process: 3}}}
	if got := strings.Join(h.names(&l), " "); got != "c a b" {
		t.Errorf("the hosts are %s", got)
	}
	h.carrier = &carrier{of: []int{2, 0, 1, 2}}
	if got := fmt.Sprint(h.agentsOf(2), h.agentsOf(3), " ", h.hostOf(3), " ", h.known()); got != "[0 3] [] c 7" {
		t.Errorf("agents %s", got)
	}
}

// TestTheUserHearsOverTheStandardErrorOfARank says something where the supervisor cannot be reached.
func TestTheUserHearsOverTheStandardErrorOfARank(t *testing.T) {
	p, _ := idle(t, agent.Options{})
	first, second := start(t, p.session.Dir), start(t, p.session.Dir)
	n := &node{p: p}
	n.say("nobody is there") // and nothing happens
	p.ranks[0], p.ranks[1] = first.c.Process.Pid, second.c.Process.Pid
	n.say("one")
	first.end()
	n.say("two")
	for x, want := range map[*rank]string{first: "unknot: one\n", second: "unknot: two\n"} {
		if got, _ := os.ReadFile(x.stderr); string(got) != want {
			t.Errorf("a rank has written %q, want %q", got, want)
		}
	}
	n.alone.begun = &begin{Hosts: []string{"root", "other"}}
	if got := n.rootsHost(); got != "root" {
		t.Errorf("the root is on %s", got)
	}
	n.alone.begun.Hosts = nil
	if got := n.rootsHost(); got != "the supervisor's host" {
		t.Errorf("the root is on %s", got)
	}
}
