package host

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"unknot/internal/agent"
	"unknot/internal/agent/kernel"
	"unknot/internal/agent/proto"
	"unknot/internal/observe/ring"
	"unknot/internal/root/link"
	"unknot/internal/root/parts"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// job is a job whose ranks are processes that do nothing, and whose rings the test writes.
type job struct {
	t       *testing.T
	dir     string // the session of the supervisor's host
	options agent.Options
	said    chan proto.Message // by the agent process
	to      *proto.Writer      // what the supervisor says
	input   io.Closer
	err     chan error // how the agent process has ended
	stop    context.CancelFunc
}

// watch starts the agent process of a job, and waits until it is ready.
func watch(t *testing.T, options agent.Options) (j *job, addresses []string) {
	t.Helper()
	session, err := ring.NewSession(ring.Options{Ranks: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Remove() })
	j = &job{t: t, dir: session.Dir, options: options, said: make(chan proto.Message, 100), err: make(chan error, 1)}
	j.options.Session, j.options.Sends, j.options.Version = session.Dir, "strict", "test"
	hear, in := io.Pipe()
	read, out := io.Pipe()
	j.to, j.input = proto.NewWriter(in), in
	var ctx context.Context
	ctx, j.stop = context.WithCancel(t.Context())
	go func() {
		err := Watch(ctx, j.options, agent.Living(), hear, out)
		out.Close()
		hear.Close()
		j.err <- err
	}()
	go func() {
		defer close(j.said)
		for from := proto.NewReader(read); ; {
			m, err := from.Receive()
			if err != nil {
				return
			}
			j.said <- m
		}
	}()
	t.Cleanup(func() {
		in.Close()
		for range j.said {
		}
	})
	return j, j.await(proto.Ready).Addresses
}

// await is the next message of a type; those before it are passed over, except errors.
func (j *job) await(kind string) proto.Message {
	j.t.Helper()
	for {
		select {
		case m, ok := <-j.said:
			switch {
			case !ok:
				j.t.Fatalf("the agent ends before it says %s: %v", kind, <-j.err)
			case m.Type == kind:
				return m
			case m.Type == proto.Found && m.Finding.Severity == finding.Error:
				j.t.Errorf("it finds %s: %s", m.Finding.Code, m.Finding.Sentence)
			}
		case <-time.After(30 * time.Second):
			j.t.Fatalf("it does not say %s", kind)
		}
	}
}

// end ends the job, and gives the last word of the agent process.
func (j *job) end(m proto.Message) proto.Message {
	j.t.Helper()
	m.Type = proto.Ended
	if err := j.to.Send(m); err != nil {
		j.t.Fatal(err)
	}
	done := j.await(proto.Done)
	if err := <-j.err; err != nil {
		j.t.Error(err)
	}
	return done
}

// rank is a rank of a job.
type rank struct {
	c      *exec.Cmd
	in     io.Closer
	stderr string // its file
	header *ring.RingHeader
}

// library is what MPI_Get_library_version says.
const mpich = "MPICH Version:\t4.0.2\n"

// start starts a rank, whose ring is in a session. Before it has said who it is, nothing is in it.
func start(t *testing.T, dir string) *rank {
	t.Helper()
	x := &rank{c: exec.Command("cat"), stderr: filepath.Join(t.TempDir(), "stderr")}
	in, err := x.c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := os.Create(x.stderr)
	if err != nil {
		t.Fatal(err)
	}
	x.in, x.c.Stderr = in, stderr
	if err := x.c.Start(); err != nil {
		t.Fatal(err)
	}
	stderr.Close()
	t.Cleanup(x.end)
	pid := uint32(x.c.Process.Pid)
	file := mapped(t, filepath.Join(dir, ring.TempPrefix+"x"), int(ring.RingBytes(slots)))
	x.header = (*ring.RingHeader)(unsafe.Pointer(&file[0]))
	x.header.Magic, x.header.Version, x.header.Slots = ring.Magic, ring.Version, slots
	x.header.PID, x.header.TID = pid, pid
	if err := os.Rename(filepath.Join(dir, ring.TempPrefix+"x"), filepath.Join(dir, fmt.Sprint(ring.RingPrefix, pid,
		".", pid))); err != nil {
		t.Fatal(err)
	}
	control := mapped(t, filepath.Join(dir, ring.ControlName), 0)
	atomic.AddUint32(&(*ring.Control)(unsafe.Pointer(&control[0])).Rings, 1)
	return x
}

const slots = 512

// mapped is a file in memory, which is made if it has a size.
func mapped(t *testing.T, path string, size int) []byte {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if size > 0 {
		err = f.Truncate(int64(size))
	} else if info, bad := f.Stat(); bad == nil {
		size = int(info.Size())
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(m) })
	return m
}

// says writes the first record of a rank: which it is of how many, and its library.
func (x *rank) says(number, size int, library string) {
	words := []uint64{uint64(number), uint64(size), 0, 1 << 20, 0, uint64(len(library))}
	for chunk := range slices.Chunk([]byte(library), 8) {
		word := uint64(0)
		for i, b := range chunk {
			word |= uint64(b) << (8 * i)
		}
		words = append(words, word)
	}
	n := (2 + len(words) + ring.WordsNext - 1) / ring.WordsNext
	to := unsafe.Slice((*uint64)(unsafe.Add(unsafe.Pointer(x.header), ring.HeaderSize)), slots*ring.WordsNext)
	to[0] = uint64(ring.DataHello) | uint64(ring.Data)<<16 | uint64(n)<<24
	copy(to[2:], words)
	atomic.StoreUint64(&x.header.Head, uint64(n))
}

// finalizes has MPI_Finalize return.
func (x *rank) finalizes() { atomic.StoreUint32(&x.header.Death.Final, 1) }

// end ends the process.
func (x *rank) end() {
	x.in.Close()
	_ = x.c.Wait()
}

// refused waits until the rank's ring is known to be read by nobody.
func (x *rank) refused(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); atomic.LoadUint32(&x.header.Reader) != ring.ReaderUnread; {
		if time.Sleep(time.Millisecond); time.Now().After(end) {
			t.Fatal("its ring is not refused")
		}
	}
}

// TestAJobIsWatchedFromItsFirstRankToItsEnd has jobs with several numbers of agents.
func TestAJobIsWatchedFromItsFirstRankToItsEnd(t *testing.T) {
	for _, perAgent := range []int{0, 1, 2} {
		j, addresses := watch(t, agent.Options{Distribution: agent.Distribution{RanksPerAgent: perAgent}})
		if addresses != nil {
			t.Errorf("agents of other hosts may join at %v", addresses)
		}
		ranks := []*rank{start(t, j.dir), start(t, j.dir), start(t, j.dir)}
		for i, x := range ranks {
			x.says(i, 3, mpich)
		}
		hello := j.await(proto.Hello)
		if hello.MPI != "MPICH 4.0.2" || hello.Ranks != 3 || len(hello.Hosts) != 1 ||
			hello.Hosts[0] != kernel.Hostname() {
			t.Errorf("the job is %+v", hello)
		}
		for _, x := range ranks {
			x.finalizes()
			x.end()
		}
		if done := j.end(proto.Message{}); !done.Complete || done.Why != "" {
			t.Errorf("with %d ranks an agent: it ends with %+v", perAgent, done)
		}
	}
}

// TestAJobMayEndBeforeAllRanksAreThere: of three ranks one is never heard of.
func TestAJobMayEndBeforeAllRanksAreThere(t *testing.T) {
	j, _ := watch(t, agent.Options{})
	for i := range 2 {
		x := start(t, j.dir)
		x.says(i, 3, mpich)
		x.finalizes()
		if i == 0 {
			j.await(proto.Hello)
		}
		x.end()
	}
	if done := j.end(proto.Message{}); done.Complete || done.Why == "" {
		t.Errorf("it ends with %+v", done)
	}
}

func TestAJobWithoutMPIEnds(t *testing.T) {
	j, _ := watch(t, agent.Options{})
	if done := j.end(proto.Message{}); !done.Complete || done.Calls != 0 {
		t.Errorf("it ends with %+v", done)
	}
	j, _ = watch(t, agent.Options{})
	start(t, j.dir) // in MPI_Init
	if done := j.end(proto.Message{}); done.Calls != 0 {
		t.Errorf("with a rank that has said nothing, it ends with %+v", done)
	}
}

// TestProcessesOfAnotherWorldAreNotWatched starts ranks that cannot be of the job which the first one is of.
func TestProcessesOfAnotherWorldAreNotWatched(t *testing.T) {
	for what, who := range map[string][2]int{"a rank that there is already": {0, 2}, "one of a larger job": {1, 3},
		"one beyond the last": {2, 2}, "a negative one": {-1, 2}} {
		j, _ := watch(t, agent.Options{})
		first, other := start(t, j.dir), start(t, j.dir)
		first.says(0, 2, mpich)
		j.await(proto.Hello)
		other.says(who[0], who[1], mpich)
		if note := j.await(proto.Note); note.Text == "" {
			t.Errorf("%s: nothing is noted", what)
		}
		other.refused(t)
		second := start(t, j.dir)
		second.says(1, 2, mpich)
		for _, x := range []*rank{first, second, other} {
			x.finalizes()
			x.end()
		}
		if done := j.end(proto.Message{}); !done.Complete {
			t.Errorf("%s: the job ends with %+v", what, done)
		}
	}
}

// TestADeathIsReported ends a rank before MPI_Finalize.
func TestADeathIsReported(t *testing.T) {
	j, _ := watch(t, agent.Options{})
	ranks := []*rank{start(t, j.dir), start(t, j.dir)}
	for i, x := range ranks {
		x.says(i, 2, mpich)
	}
	j.await(proto.Hello)
	ranks[0].c.Process.Signal(syscall.SIGSEGV)
	ranks[0].end()
	ranks[1].finalizes()
	ranks[1].end()
	if err := j.to.Send(proto.Message{Type: proto.Ended, Exit: 139}); err != nil {
		t.Fatal(err)
	}
	var died []finding.Finding
	for m := range j.said {
		if m.Type == proto.Found {
			died = append(died, *m.Finding)
		}
	}
	if len(died) != 1 || died[0].Code != finding.RankDied || !slices.Equal(died[0].Ranks, []int{0}) {
		t.Errorf("it finds %+v", died)
	}
}

// TestTheSupervisorMayVanish closes the input of the agent process, or ends its context.
func TestTheSupervisorMayVanish(t *testing.T) {
	for _, how := range []string{"input", "context"} {
		j, _ := watch(t, agent.Options{})
		x := start(t, j.dir)
		x.says(0, 1, mpich)
		j.await(proto.Hello)
		x.finalizes()
		x.end()
		if how == "input" {
			j.input.Close()
		} else {
			j.stop()
		}
		j.await(proto.Done)
		if err := <-j.err; err != nil {
			t.Errorf("%s: %v", how, err)
		}
	}
}

func TestASurveyIsAnswered(t *testing.T) {
	j, _ := watch(t, agent.Options{})
	survey := proto.Message{Type: proto.Survey, Text: "SIGTERM"}
	if err := j.to.Send(survey); err != nil {
		t.Fatal(err)
	}
	j.await(proto.Surveyed) // nothing can be said before there are ranks
	x := start(t, j.dir)
	x.says(0, 1, mpich)
	j.await(proto.Hello)
	if err := j.to.Send(survey); err != nil {
		t.Fatal(err)
	}
	j.await(proto.Surveyed)
	x.finalizes()
	x.end()
	j.end(proto.Message{})
}

// short is for how long a link may be down that a test cuts.
const short = 300 * time.Millisecond

// other is the agent process of another host, in this process.
type other struct {
	dir  string // its session
	err  chan error
	stop context.CancelFunc
	over atomic.Bool // it has heard that the launcher has ended
}

// join has such a process join a job, and waits until probes may use its session.
func join(t *testing.T, to link.Invitation, id string) *other {
	t.Helper()
	o := &other{dir: filepath.Join(t.TempDir(), "session"), err: make(chan error, 1)}
	var ctx context.Context
	ctx, o.stop = context.WithCancel(t.Context())
	ready := make(chan struct{})
	go func() {
		o.err <- Join(ctx, Joining{Invitation: to, Session: o.dir, ID: id, Version: "test",
			Ready: func() { close(ready) },
			Over:  func() int { o.over.Store(true); return 0 }})
	}()
	select {
	case <-ready:
	case err := <-o.err:
		t.Fatal(err)
	}
	return o
}

// hosted is a job whose agent process listens for those of other hosts.
func hosted(t *testing.T, o agent.Options) (*job, link.Invitation) {
	t.Helper()
	key, err := link.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	o.Key, o.Listen = key.String(), []string{"127.0.0.1:0"}
	j, addresses := watch(t, o)
	return j, link.Invitation{Key: key, Addresses: addresses}
}

// TestRanksOfTwoHostsAreOneJob has a rank on each of two hosts, and one that comes when the job has begun.
func TestRanksOfTwoHostsAreOneJob(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	j, to := hosted(t, agent.Options{Distribution: agent.Distribution{LinkTimeout: time.Minute}, Trace: trace})
	o := join(t, to, "a")
	here, there := start(t, j.dir), start(t, o.dir)
	here.says(1, 2, mpich)
	there.says(0, 2, mpich)
	if hello := j.await(proto.Hello); hello.Ranks != 2 || hello.MPI != "MPICH 4.0.2" || len(hello.Hosts) != 1 {
		t.Errorf("the job is %+v", hello) // both hosts are this one
	}
	late := start(t, o.dir)
	late.says(2, 3, mpich)
	if note := j.await(proto.Note); !strings.HasPrefix(note.Text, "on "+kernel.Hostname()+": ") {
		t.Errorf("it notes %q", note.Text)
	}
	late.refused(t)
	for _, x := range []*rank{here, there} {
		x.finalizes()
		x.end()
	}
	if done := j.end(proto.Message{}); !done.Complete {
		t.Errorf("it ends with %+v", done)
	}
	if err := <-o.err; err != nil || !o.over.Load() {
		t.Errorf("the other host: %v; it has heard of the end: %v", err, o.over.Load())
	}
	if _, err := os.Stat(o.dir); err == nil {
		t.Error("its session is left")
	}
	if survey, err := tracefile.Look(trace); err != nil || survey.Cut != "" {
		t.Errorf("the trace of both hosts: %+v, %v", survey, err)
	}
}

// TestALostHostIsReported ends the agent process of another host, as a signal does, or has its guard report its death.
func TestALostHostIsReported(t *testing.T) {
	for _, how := range []string{"asked", "killed"} {
		dir := filepath.Join(t.TempDir(), "parts")
		j, to := hosted(t, agent.Options{Distribution: agent.Distribution{LinkTimeout: short}, Parts: dir})
		o := join(t, to, "a")
		here, there := start(t, j.dir), start(t, o.dir)
		here.says(0, 2, mpich)
		there.says(1, 2, mpich)
		j.await(proto.Hello)
		if how == "asked" {
			o.stop()
			if err := <-o.err; err == nil {
				t.Error("a process that was asked to end before the job's end has no error")
			}
			if _, err := os.Stat(dir); err == nil {
				t.Error("it leaves a part, though the root is there")
			}
		} else {
			mourner := Joining{Invitation: to, ID: "a", Version: "test"}
			if err := Mourn(t.Context(), mourner, "signal: killed"); err != nil {
				t.Error(err)
			}
			if note := j.await(proto.Note); !strings.Contains(note.Text, "signal: killed") {
				t.Errorf("it notes %q", note.Text)
			}
			there.end()
			o.stop()
			<-o.err
		}
		here.finalizes()
		here.end()
		if done := j.end(proto.Message{}); done.Complete || done.Why == "" {
			t.Errorf("%s: it ends with %+v", how, done)
		}
	}
}

func TestAProcessThatJoinsLateIsNoted(t *testing.T) {
	j, to := hosted(t, agent.Options{Distribution: agent.Distribution{LinkTimeout: time.Minute}})
	x := start(t, j.dir)
	x.says(0, 1, mpich)
	j.await(proto.Hello)
	late := Joining{Invitation: to, Session: filepath.Join(t.TempDir(), "session"), Version: "test"}
	if err := Join(t.Context(), late); err == nil {
		t.Error("it joins")
	}
	if note := j.await(proto.Note); !strings.Contains(note.Text, kernel.Hostname()) {
		t.Errorf("it notes %q", note.Text)
	}
	x.finalizes()
	x.end()
	j.end(proto.Message{})
}

// TestALostRootIsOutlived has the process with the root vanish, which the test plays here. The other host watches its
// rank to its end, and leaves what it knows in a part.
func TestALostRootIsOutlived(t *testing.T) {
	key, err := link.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	joined := make(chan *link.Link, 1)
	hub, err := link.Listen(key, []string{"127.0.0.1:0"}, "test", func(l *link.Link) { joined <- l })
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "parts")
	go func() {
		l := <-joined
		(&control{Welcome: &welcome{Options: agent.Options{Distribution: agent.Distribution{LinkTimeout: short}, Sends: "strict", Parts: dir,
			Job: "7", Trace: "trace",
			Version: "test", Command: []string{"mpirun", "./app"}}}}).send(l)
		joined <- l
	}()
	o := join(t, link.Invitation{Key: key, Addresses: hub.Addresses()}, "a")
	root := <-joined
	x := start(t, o.dir)
	x.says(1, 2, mpich)
	text, err := root.Receive()
	if c, bad := readControl(text); err != nil || bad != nil || c.Here == nil || *c.Here != (here{Rank: 1, Size: 2,
		Library: "MPICH 4.0.2"}) {
		t.Fatalf("the other host says %+v, %v, %v", c, err, bad)
	}
	l := spread(2, 0, [][]op.Rank{{0}, {1}})
	(&control{Begin: &begin{Layout: l, Library: "MPICH 4.0.2", Self: 1, Listen: make([][]string, 2),
		Hosts: []string{"root", "other"}}}).
		send(root)
	(&control{Who: true}).send(root)
	for listed := false; !listed; { // it has begun to watch
		text, err := root.Receive()
		if err != nil {
			t.Fatal(err)
		}
		if c, err := readControl(text); err == nil {
			listed = c.Listed
		}
	}
	root.Abort()
	hub.Close()
	said := ""
	for end := time.Now().Add(30 * time.Second); said == "" && time.Now().Before(end); time.Sleep(time.Millisecond) {
		b, _ := os.ReadFile(x.stderr)
		said = string(b)
	}
	if !strings.HasPrefix(said, "unknot: ") || !strings.Contains(said, "root") || !strings.Contains(said, dir) {
		t.Errorf("the user hears %q", said)
	}
	x.finalizes()
	x.end()
	if err := <-o.err; err == nil {
		t.Error("a process whose root is lost has no error")
	}
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	set, err := parts.Read(dir, table)
	if err != nil || len(set.Parts) != 1 {
		t.Fatalf("the part: %v", err)
	}
	h := set.Parts[0].Head
	if h.Job != "7" || h.Size != 2 || h.Process != 1 || !h.Whole || h.MPI != "MPICH 4.0.2" || h.Lost.IsZero() ||
		len(h.Watch) != 2 || h.Watch[0].Host != "root" || h.Watch[1].Ranks.Len() != 1 || !h.Watch[1].Ranks.Has(1) ||
		strings.Join(h.Command, " ") != "mpirun ./app" || len(set.Parts[0].Shares) != 1 {
		t.Errorf("the part says %+v", h)
	}
	if name := set.Parts[0].Trace; name == "" || strings.Contains(name, "/") {
		t.Errorf("its trace is %q", name)
	} else if _, err := tracefile.Look(filepath.Join(dir, name)); err != nil {
		t.Error(err)
	}
	if !set.Missing() {
		t.Error("rank 0 has no part, and none is missing")
	}
}
