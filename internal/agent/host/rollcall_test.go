package host

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"unknot/internal/agent"
	"unknot/internal/agent/proto"
	"unknot/internal/observe/ring"
	"unknot/internal/root/link"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// TestRanksThatEndSoonAreWatched has a job end before the process of another host has looked for its ranks. It does
// when it is asked.
func TestRanksThatEndSoonAreWatched(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	key, err := link.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	session, err := ring.NewSession(ring.Options{Dir: filepath.Join(t.TempDir(), "session")})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	p := emptyProcess(agent.Options{Distribution: agent.Distribution{Key: key.String(),
		Listen: []string{"127.0.0.1:0"}}, Version: "test"}, table,
		session, agent.World{})
	h, err := listenForHosts(p)
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	p.hosts = h
	h.here(h.own(), &here{Rank: 0, Size: 3, Library: "test"})

	l, err := link.Dial(t.Context(), key, h.hub.Addresses(), "test", greeting{Host: "node2", ID: "1"}.text())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Abort()
	if _, err := welcomedBy(l, p); err != nil {
		t.Fatal(err)
	}
	go func() {
		text, err := l.Receive()
		if c, bad := readControl(text); err != nil || bad != nil || !c.Who {
			t.Errorf("asked %+v, %v, %v, want which ranks there are", c, err, bad)
			return
		}
		(&control{Here: &here{Rank: 2, Size: 3, Library: "test"}}).send(l)
		(&control{Listed: true}).send(l)
	}()
	h.callRoll()
	if got := h.others()[0].ranks; !slices.Equal(got, []op.Rank{2}) {
		t.Errorf("ranks %v are known, want 2", got)
	}
}

// TestDifferentLibrariesAreNamed has hosts whose ranks do not all use the same MPI.
func TestDifferentLibrariesAreNamed(t *testing.T) {
	var said bytes.Buffer
	p := emptyProcess(agent.Options{}, nil, nil, agent.World{})
	p.out = proto.NewWriter(&said)
	h := &hosts{p: p, remotes: []*remote{{host: "node1"}, {host: "node2"}}}
	for rank, x := range []struct {
		on      int
		library string
	}{{0, "Open MPI 4.1.4"}, {0, "Open MPI 4.1.4"}, {1, "Open MPI 5.0.3"}, {1, "Open MPI 5.0.3"}} {
		h.here(h.remotes[x.on], &here{Rank: op.Rank(rank), Size: 8, Library: x.library})
	}
	want := "the ranks on node2 use Open MPI 5.0.3, and those on node1 Open MPI 4.1.4: different MPI libraries may " +
		"not understand each other; hint: give all hosts the same MPI"
	r := proto.NewReader(&said)
	if m, err := r.Receive(); err != nil || m.Text != want {
		t.Errorf("said %q (%v), want %q", m.Text, err, want)
	}
	if m, err := r.Receive(); err == nil {
		t.Errorf("said %q, too", m.Text)
	}
}

// welcomedBy is welcomed, by a process whose main loop does not run.
func welcomedBy(l *link.Link, p *process) (w *welcome, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		w, err = welcomed(l)
	}()
	for {
		select {
		case <-done:
			return w, err
		case <-p.events.Wake():
			p.handle()
		}
	}
}
