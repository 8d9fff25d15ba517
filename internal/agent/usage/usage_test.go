package usage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/agent/calls"
	"unknot/internal/agent/place"
	"unknot/internal/agent/usage"
	"unknot/internal/check"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/test/testkit/followed"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// job is two ranks of agent 0, as the usage checks see them. Agent 1 has others.
type job struct {
	*followed.Job
	checks  *usage.Checks
	net     *tree.Network[message.Message]
	ranks   []*usage.Rank
	threads map[*calls.Thread]*seen
	wrote   []int
}

// seen is a thread.
type seen struct {
	of   *usage.Thread
	last uint32 // the stamp of its last call that has returned, as its ring says where no record does
	// beside are the threads beside the last call as it began and as it ended
	beside [2][]int
}

func (s *seen) Returned() uint32 { return s.last }

func others(c *check.Call) (list []int) {
	for _, b := range c.Beside {
		list = append(list, int(b.Index))
	}
	return list
}

// observer hands on to the checks what they want to know, as an agent does.
type observer struct {
	followed.Silent
	s *seen
}

func (o observer) Began() {
	o.s.of.Began()
	o.s.beside[0] = others(&o.s.of.Call)
}

func (o observer) CallEnded(stamp uint32) {
	o.s.of.CallEnded(stamp)
	o.s.beside[1] = others(&o.s.of.Call)
}

func (o observer) Started(op *waitstate.Op) { o.s.of.Started(op) }

// Made has a communicator called by its name.
func (o observer) Made(c *objects.Comm) {
	c.Describe = func() finding.Wording { return finding.Wordf("%s", c.Name) }
}

func (o observer) Requested(q *objects.Request) { o.s.of.Requested(q) }
func (o observer) Restarted(q *objects.Request) { o.s.of.Restarted(q) }
func (o observer) Filled(q *objects.Request, bytes int64, by objects.Made) {
	o.s.of.Filled(q, bytes, by)
}
func (o observer) Numbered(number, made, commits uint64) { o.s.of.Numbered(number, made, commits) }
func (o observer) Remade(number uint64)                  { o.s.of.Remade(number) }

// newJob has the selected checks look at two ranks, each with so many threads.
func newJob(t *testing.T, checks string, threads int, script string) *job {
	t.Helper()
	selected, err := check.ParseSelection(checks)
	if err != nil {
		t.Fatal(err)
	}
	j := &job{Job: followed.New(t), threads: make(map[*calls.Thread]*seen),
		net: tree.New[message.Message](tree.NewShape(2, 0), nil)}
	places := place.New(j.Table, j.Symbols, &symbol.Owners{})
	j.checks = usage.New(selected, j.Follower, &places, j.Symbols, j.net.Member(0),
		func(r op.Rank) int { return int(r) / 2 }, func(to int) { j.wrote = append(j.wrote, to) })
	j.Rest = func(t *calls.Thread, id ring.DataID, words []uint64) { j.threads[t].of.Data(id, words) }
	j.Begun = func(t *calls.Thread) { j.threads[t].of.Forget() }
	for i := range 2 {
		r := j.Rank(i, 2)
		u := j.checks.Know(r)
		j.ranks = append(j.ranks, u)
		for range threads {
			j.Thread(r, func(t *calls.Thread) calls.Observer {
				s := new(seen)
				s.of = j.checks.Begin(u, t, s)
				j.threads[t] = s
				return observer{s: s}
			})
		}
	}
	j.Play(script)
	return j
}

// call is the last call of a thread, as the checks see it.
func (j *job) call(thread string) *check.Call { return &j.threads[j.Threads[thread]].of.Call }

// said are the findings that were sent to the root since it was asked last.
func (j *job) said() (list []message.Misuse) {
	for _, m := range j.net.Member(tree.Root).Take(nil) {
		if m, is := m.(message.Misuse); is {
			list = append(list, m)
		}
	}
	return list
}

// sentences are what they say.
func (j *job) sentences() string {
	var list []string
	for _, m := range j.said() {
		list = append(list, fmt.Sprintf("%s: %s", m.Finding.Code, m.Finding.Sentence))
	}
	return strings.Join(list, "\n")
}

// TestWhatWasSaidOfTheNextCall is what the checks know of its memory, and nothing of the call after that.
func TestWhatWasSaidOfTheNextCall(t *testing.T) {
	j := newJob(t, "", 1, `
		- Null MPI_Recv 6
		- Null MPI_Send 0
		- Memory 0 1 4096 8192 0
		- Memory 1 2 100 200 77
		- Memory 2 3 300 400 0
		- Array 0 1 4096 4104 4096 8192 'i
		MPI_Recv(4096 1 int 1 7 world)`)
	c := j.call("0")
	if !slices.Equal(c.Nulls, []int{6}) {
		t.Errorf("null pointers are the parameters %v, want 6", c.Nulls)
	}
	want := []check.Ground{{Kind: check.HeapBlock, From: 4096, To: 8192},
		{Kind: check.FreedBlock, From: 100, To: 200}, {Kind: check.LeftStack, From: 300, To: 400}}
	for i, g := range want {
		got := c.Beneath[i]
		if got.Param != i || got.Kind != g.Kind || got.From != g.From || got.To != g.To || got.Freed.How != "freed" ||
			got.Freed.Site != map[int]uint64{1: 77}[i] {
			t.Errorf("buffer %d lies in %+v, want %+v", i, got, g)
		}
	}
	if len(c.Arrays) != 1 || c.Arrays[0].Is != "int32 array" || c.Arrays[0].To != 4104 {
		t.Errorf("its arrays are %+v", c.Arrays)
	}
	j.Play("MPI_Recv(…) = 1 7 4\nMPI_Recv(4096 1 int 1 7 world)")
	if c := j.call("0"); len(c.Nulls)+len(c.Beneath)+len(c.Arrays) > 0 {
		t.Errorf("of the next one it knows %v, %v, %v", c.Nulls, c.Beneath, c.Arrays)
	}
}

func TestArraysOfPythonAreNamedByTheirElements(t *testing.T) {
	for record, want := range map[string]struct {
		is    string
		whole check.Ground
	}{
		"0 1 64 80 64 80 'i": {"int32 array", check.Ground{Kind: check.ArrayMemory, From: 64, To: 80,
			Name: "an int32 array"}},
		"0 2 64 80 60 90 'd": {"float64 array", check.Ground{Kind: check.ArrayMemory, From: 60, To: 90,
			Name: "the memory of an array"}},
		"0 1 64 80 0 0 'd":    {"float64 array", check.Ground{}},
		"0 1 64 80 64 80 '?!": {"array", check.Ground{Kind: check.ArrayMemory, From: 64, To: 80, Name: "an array"}},
		"0 3 64 80 64 80 'B": {"object of bytes", check.Ground{Kind: check.ArrayMemory, From: 64, To: 80,
			Name: "an object of bytes"}},
		"0 4 64 80 64 80 'B": {"memoryview", check.Ground{Kind: check.ArrayMemory, From: 64, To: 80,
			Name: "a memoryview"}},
		"0 5 64 80 64 80 'B": {"mmap", check.Ground{Kind: check.ArrayMemory, From: 64, To: 80, Name: "a mmap"}},
	} {
		j := newJob(t, "", 1, "- Array "+record+"\n- Array "+record+"\nMPI_Send(64 1 int 1 7 world)")
		for _, got := range j.call("0").Arrays {
			if got.Is != want.is || got.Whole != want.whole {
				t.Errorf("array %s is a %s in %+v, want a %s in %+v", record, got.Is, got.Whole, want.is, want.whole)
			}
		}
	}
}

// TestWhereMemoryIs is asked without the process.
func TestWhereMemoryIs(t *testing.T) {
	j := newJob(t, "", 2, `
		- Stack 1000 2000
		0.1: - Stack 3000 4000`)
	j.Symbols.Variables = map[string]symbol.Variable{"grid": {Name: "grid", From: 500, To: 600},
		"next": {Name: "next", From: 600, To: 700}}
	where := j.ranks[0].Use.Where
	stack := func(thread op.Thread, from, to uint64) check.Ground {
		return check.Ground{Kind: check.ThreadStack, From: from, To: to, Thread: thread}
	}
	grid := check.Ground{Kind: check.Variable, From: 500, To: 600, Name: "grid"}
	for range 2 {
		for at, want := range map[uint64]check.Ground{999: {}, 1000: stack(0, 1000, 2000),
			1999: stack(0, 1000, 2000), 2000: {},
			3500: stack(1, 3000, 4000), 500: grid, 599: grid, 700: {}, 0: {},
			600: {Kind: check.Variable, From: 600, To: 700, Name: "next"}} {
			if got := where(at); got != want {
				t.Errorf("%d is in %+v, want %+v", at, got, want)
			}
		}
	}
	if n := j.Symbols.Asked["data"]; n != 1 {
		t.Errorf("the variables of the process were looked up %d times", n)
	}
	if j.Play("0.1: - ThreadEnd"); where(3500) != (check.Ground{}) {
		t.Error("the stack of a thread that has ended is still one")
	}
	j.ranks[0].Maps = nil
	if got := where(500); got != (check.Ground{}) {
		t.Errorf("without a memory map 500 is in %+v", got)
	}
}

// TestVariablesAreLookedUpOnceForEachAddress, as long as there are not many.
func TestVariablesAreLookedUpOnceForEachAddress(t *testing.T) {
	j := newJob(t, "", 1, "")
	j.Symbols.Variables = make(map[string]symbol.Variable)
	for i := range uint64(300) {
		name := fmt.Sprint("v", i)
		j.Symbols.Variables[name] = symbol.Variable{Name: name, From: 4096 * i, To: 4096*i + 4096}
	}
	where := j.ranks[0].Use.Where
	for n := range uint64(300) {
		for i := range n % 5 {
			at := 4096*i + 8
			if got := where(at); got.Name != fmt.Sprint("v", i) || got.From != 4096*i {
				t.Fatalf("%d is in %+v", at, got)
			}
		}
	}
	if n := j.Symbols.Asked["variable"]; n > 20 {
		t.Errorf("4 addresses were looked up %d times", n)
	}
	for i := range uint64(300) {
		if got := where(4096*i + 8); got.Name != fmt.Sprint("v", i) {
			t.Errorf("%d is in %+v", 4096*i+8, got)
		}
	}
}

// TestThreadsBesideACall are those that certainly were in a call while it was made.
func TestThreadsBesideACall(t *testing.T) {
	j := newJob(t, "", 3, "0.1: MPI_Barrier(self)\nMPI_Barrier(world)")
	beside := func(thread string) [2][]int { return j.threads[j.Threads[thread]].beside }
	if got := fmt.Sprint(beside("0")); got != "[[1] []]" {
		t.Errorf("beside a call that has begun are the threads %s, want 1", got)
	}
	c := j.call("0").Beside[0]
	if c.Func.Name != "MPI_Barrier" || c.Site != 1 || c.Comm == nil || c.Comm.Name != "MPI_COMM_SELF" {
		t.Errorf("thread 1 is in %s at %d on %v", c.Func.Name, c.Site, c.Comm)
	}
	j.Play("0.2: MPI_Barrier(self)\nMPI_Barrier(…) =")
	if got := fmt.Sprint(beside("0.2"), beside("0")); got != "[[0 1] []] [[1] [2]]" {
		t.Errorf("beside thread 2, and thread 0 before and after, are %s", got)
	}
	j.Play("0.1: MPI_Barrier(…) =\n0.2: MPI_Barrier(…) =\nMPI_Barrier(world) =")
	if got := fmt.Sprint(beside("0")); got != "[[] []]" {
		t.Errorf("beside a call after all have returned are %s", got)
	}
	j.Play("0.1: MPI_Comm_size(world)")
	j.threads[j.Threads["0.1"]].last = j.Threads["0.1"].Stamp // its ring says that it has returned
	if j.Play("MPI_Barrier(world)"); len(beside("0")[0]) > 0 {
		t.Error("a thread whose ring says that its call has returned is beside the next one")
	}
	j.Play("0.1: MPI_Barrier(self)")
	j.ranks[0].Remove(j.threads[j.Threads["0.1"]].of)
	if j.Play("MPI_Barrier(…) =\nMPI_Barrier(world)"); len(beside("0")[0]) > 0 {
		t.Error("a thread that was removed is beside a call")
	}
}

// TestAReportBecomesAFinding with the place of the call and what it belongs to.
func TestAReportBecomesAFinding(t *testing.T) {
	j := newJob(t, "", 1, "MPI_Send(buf -3 int 1 5 world) =\n1: MPI_Send(buf -3 int 0 5 self) =")
	list := j.said()
	if len(list) != 2 {
		t.Fatalf("%d findings, want one of each rank", len(list))
	}
	m := list[0]
	p := m.Finding.Places[0]
	if m.Finding.Code != "count-negative" || m.Param != 1 || m.Pair || !slices.Equal(m.Finding.Ranks, []int{0}) ||
		p.Call != "MPI_Send" || p.State != "called" || p.Rank != 0 || p.Moment != 1 ||
		p.Args != "to rank 1, tag 5, MPI_COMM_WORLD, -3 × MPI_INT" {
		t.Errorf("it is %+v", m)
	}
	if !slices.Equal(m.Scope.Contexts, []op.CommID{objects.WorldID}) || m.Scope.Collective {
		t.Errorf("it belongs to %+v, want MPI_COMM_WORLD", m.Scope)
	}
	if n := j.checks.Reported(); n != 2 {
		t.Errorf("%d wrong uses were reported, want 2", n)
	}
}

// TestHowOftenAWrongUseWasMadeIsSentAtTheEnd, once.
func TestHowOftenAWrongUseWasMadeIsSentAtTheEnd(t *testing.T) {
	j := newJob(t, "", 1, "")
	for range 4 {
		j.Line = 10
		j.Play("MPI_Send(buf -3 int 1 5 world) =")
	}
	j.Play("1: MPI_Send(buf -3 int 0 5 world) =")
	if list := j.said(); len(list) != 2 || list[0].Finding.Count != 1 {
		t.Fatalf("at first there are %d findings", len(list))
	}
	if n := j.checks.Reported(); n != 5 {
		t.Errorf("%d wrong uses, want 5", n)
	}
	j.checks.Conclude()
	again := 0
	for _, m := range j.said() {
		if m.Finding.Code == "count-negative" {
			again++
			if m.Finding.Count != 3 || m.Finding.Ranks[0] != 0 {
				t.Errorf("rank %v has made it %d times again, want 3 times", m.Finding.Ranks, m.Finding.Count)
			}
		}
	}
	j.checks.Conclude()
	if more := j.said(); again != 1 || len(more) > 0 {
		t.Errorf("sent %d times, then %d more", again, len(more))
	}
}

// TestACallThatAnObjectIsMadeByAgainCounts, though there is no record of it.
func TestACallThatAnObjectIsMadeByAgainCounts(t *testing.T) {
	j := newJob(t, "", 1, `
		MPI_Type_vector(2 3 1 int) = three 24
		MPI_Type_contiguous(-3 int) = odd 12
		- Known 5 odd MPI_Type_contiguous @0
		- Known 6 three MPI_Type_vector @0`)
	before := j.checks.Reported()
	if before == 0 {
		t.Fatalf("nothing was reported of the datatype")
	}
	j.Play("- Again 5 odd MPI_Type_free @9\n- Again 5 odd MPI_Type_free @9\n- Again 6 three MPI_Type_free @9")
	if n := j.checks.Reported() - before; n != 2 {
		t.Errorf("%d more wrong uses, want 2", n)
	}
}

// TestBuffersThatAreTooSmall: a blocking receive is judged by the message that it matches.
func TestBuffersThatAreTooSmall(t *testing.T) {
	const outside = "buffer-outside: Rank 0 calls MPI_%s with buf in a heap block of 10 bytes; the message of %d bytes " +
		"extends %d bytes beyond its end."
	for script, want := range map[string]string{
		`- Memory 0 1 4096 4106 0
			MPI_Recv(4096 4 int 1 7 world)
			1: MPI_Send(buf 3 int 0 7 world) =`: fmt.Sprintf(outside, "Recv", 12, 2),
		`- Memory 0 1 4096 4106 0
			MPI_Recv(4096 4 int 1 7 world)
			1: MPI_Send(buf 2 int 0 7 world) =`: "",
		`- Memory 0 1 4096 4106 0
			MPI_Recv(4096 2 int 1 7 world)
			1: MPI_Send(buf 2 int 0 7 world) =`: "",
		`- Memory 0 1 4096 4106 0
			MPI_Irecv(4096 4 int 1 7 world) = r1
			MPI_Wait(r1) = 1 7 16`: fmt.Sprintf(outside, "Irecv", 16, 6),
		`- Memory 0 1 4096 4106 0
			MPI_Irecv(4096 4 int 1 7 world) = r1
			MPI_Wait(r1) = 1 7 8`: "",
	} {
		j := newJob(t, "", 1, script)
		j.checks.Received()
		var got []string
		for line := range strings.Lines(j.sentences()) {
			if strings.HasPrefix(line, "buffer-outside") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s\nis said %q, want %q", script, got, want)
		}
	}
}

// TestWhichReceiveAMessageMatchesIsNotCertainWithSeveralThreads.
func TestWhichReceiveAMessageMatchesIsNotCertainWithSeveralThreads(t *testing.T) {
	j := newJob(t, "", 2, `
		- Memory 0 1 4096 4106 0
		MPI_Recv(4096 4 int 1 7 world)
		1: MPI_Send(buf 3 int 0 7 world) =`)
	j.checks.Received()
	if got := j.sentences(); strings.Contains(got, "buffer-outside") {
		t.Errorf("it is said %q", got)
	}
}

// TestRecordsAboutMemoryAreTaken, and others left to whoever knows them.
func TestRecordsAboutMemoryAreTaken(t *testing.T) {
	j := newJob(t, "", 1, "")
	th := j.threads[j.Threads["0"]].of
	for _, id := range []ring.DataID{ring.DataNull, ring.DataStack, ring.DataBelow, ring.DataMemory, ring.DataOrder,
		ring.DataExternal, ring.DataChanged, ring.DataArray, ring.DataFreed, ring.DataTouched, ring.DataShared,
		ring.DataAccessed} {
		if !th.Data(id, nil) {
			t.Errorf("record %d is not taken", id)
		}
	}
	for _, id := range []ring.DataID{ring.DataMaps, ring.DataSite, ring.DataCallers, ring.DataExcept} {
		if th.Data(id, nil) {
			t.Errorf("record %d is taken", id)
		}
	}
}

// TestAccessesToMemoryOfPendingOperations are those of the program itself, also in threads that do not call MPI.
func TestAccessesToMemoryOfPendingOperations(t *testing.T) {
	const accessed = "pending-buffer-accessed: Rank 0 calls MPI_Irecv with buf and %s that memory before the operation " +
		"is completed."
	for record, want := range map[string]struct {
		said, by string
	}{
		"4096 4 1 7 0":  {fmt.Sprintf(accessed, "writes to"), ""},
		"4096 4 0 7 0":  {fmt.Sprintf(accessed, "reads"), ""},
		"4096 4 1 7 -1": {fmt.Sprintf(accessed, "writes to"), "by a thread that has not called MPI"},
		"9000 4 1 7 0":  {"", ""},
	} {
		j := newJob(t, "", 1, "MPI_Irecv(4096 1 int 1 7 world) = r1\n- Touched "+record+"\nMPI_Wait(r1) = 1 7 4")
		var said, notes string
		for _, m := range j.said() {
			said += fmt.Sprintf("%s: %s", m.Finding.Code, m.Finding.Sentence)
			notes = strings.Join(finding.Sentences(m.Finding.Notes), "; ")
		}
		if said != want.said || !strings.Contains(notes, want.by) || want.by == "" && strings.Contains(notes, "thread") {
			t.Errorf("of access %s it is said %q with %q, want %q with %q", record, said, notes, want.said, want.by)
		}
	}
}

// TestMemoryThatIsGone while an operation uses it.
func TestMemoryThatIsGone(t *testing.T) {
	const freed = "buffer-freed: Rank 0 calls MPI_Irecv with buf, and that memory is freed before the operation is " +
		"completed."
	const left = "buffer-freed: Rank 0 calls MPI_Irecv with buf on the stack, and the function that owns that variable " +
		"returns before the operation is completed."
	for script, want := range map[string]string{
		"- Freed 4096 4200 1 9":                       freed,
		"- Freed 4200 4300 1 9":                       "",
		"- Below 4000 5000\nMPI_Comm_size(world) =":   left,
		"- Below 5000 6000\nMPI_Comm_size(world) =":   "",
		"- Below 5000 5000\nMPI_Comm_size(world) =":   "",
		"MPI_Wait(r1) = 1 7 4\n- Freed 4096 4200 1 9": "",
	} {
		j := newJob(t, "", 1, "MPI_Irecv(4096 1 int 1 7 world) = r1\n"+script)
		if got := j.sentences(); got != want {
			t.Errorf("%s\nis said %q, want %q", script, got, want)
		}
	}
}

// TestDataThatHasChanged while a send was pending.
func TestDataThatHasChanged(t *testing.T) {
	const sends = "MPI_Isend(4096 1 int 1 7 world) = r1\nMPI_Wait(r1)\n"
	j := newJob(t, "+sent-buffers", 1, sends+
		"- Changed MPI_Isend 1 0 0 0 4 4 0 6 4096 1 int 1 7 world\nMPI_Wait(…) = 0 0 0")
	list := j.said()
	if len(list) != 1 || list[0].Finding.Code != "sent-buffer-modified" || list[0].Finding.Places[0].Call != "MPI_Isend" {
		t.Errorf("it is said %+v", list)
	}
	j = newJob(t, "+sent-buffers", 1, sends+"- Changed 1999 1 0 0 0 4 4 0 6 4096 1 int 1 7 world\nMPI_Wait(…) = 0 0 0")
	if got := j.sentences(); got != "" {
		t.Errorf("of a function that is not known it is said %q", got)
	}
}

// TestWhatAnErrorMeansIsOneLine: MPICH adds the calls inside of the library.
func TestWhatAnErrorMeansIsOneLine(t *testing.T) {
	j := newJob(t, "", 1, "MPI_Send(buf 1 int 1 5 world)\n"+
		"- Error MPI_Send 15 '_Invalid_tag,_error_stack:\nMPI_Send(…) fails 4")
	if got := j.call("0").Message; got != "_Invalid_tag,_error_stack:" {
		t.Errorf("the message is %q", got)
	}
	j = newJob(t, "", 1, "MPI_Send(buf 1 int 1 5 world)\n- Error MPI_Recv 15 'other\nMPI_Send(…) fails 4")
	if got := j.call("0").Message; got != "" {
		t.Errorf("the message of another function is %q", got)
	}
	j = newJob(t, "", 1, "MPI_Send(buf 1 int 1 5 world)\n- Error MPI_Send 15 'none\nMPI_Send(…) =")
	if got := j.call("0").Message; got != "" {
		t.Errorf("a call that has not failed has the message %q", got)
	}
}

// note is something that the checks of one rank have for those of another.
type note struct{ check.Body }

func (note) Kind() uint64 { return 999 }

// TestNotesGoToTheAgentOfTheirRank.
func TestNotesGoToTheAgentOfTheirRank(t *testing.T) {
	j := newJob(t, "", 1, "")
	w := j.checks.Watch
	w.Notes = []check.Note{{To: 1, Body: note{}}, {To: 2, Body: note{}}}
	if !j.checks.Tell() || fmt.Sprint(j.wrote) != "[1]" || len(w.Notes) != 0 {
		t.Errorf("agents %v were written to, %d notes are left", j.wrote, len(w.Notes))
	}
	sent := j.net.Member(1).Take(nil)
	if n, is := sent[0].(message.Note); !is || len(sent) != 1 || n.Note.To != 2 {
		t.Errorf("agent 1 was sent %+v", sent)
	}
	w.Notes = []check.Note{{To: 0, Body: note{}}}
	if j.checks.Tell() || len(j.wrote) != 1 || len(w.Notes) != 0 {
		t.Errorf("a note for a rank of this agent was sent to another one, or kept: %d are left", len(w.Notes))
	}
}

// TestNothingIsSaidWithoutChecks, and nothing breaks.
func TestNothingIsSaidWithoutChecks(t *testing.T) {
	j := newJob(t, "-all", 2, `
		- Thread 1
		- External 1
		- Freed 4096 4200 1 9
		- Array 0 1 64 80 64 80 'd
		- Changed MPI_Isend 1 0 0 0 4 4 0 6 4096 1 int 1 7 world
		MPI_Send(buf -3 int 1 5 world) =
		MPI_Irecv(buf 1 int 1 7 world) = r1
		MPI_Wait(r1) = 1 7 4
		- Join 1
		- Joined`)
	j.checks.End()
	j.checks.Hear(&check.Note{})
	if j.checks.NotesComplete() {
		t.Error("something was sent")
	}
	j.checks.Conclude()
	if j.checks.Watch != nil || j.sentences() != "" || j.checks.Reported() != 0 {
		t.Errorf("there are checks, or they said %q", j.sentences())
	}
	if c := j.call("0"); c.Func.Name != "MPI_Wait" {
		t.Errorf("the last call is %s", c.Func.Name)
	}
}

// TestARaceInAWindow has two ranks of this agent meet, which another run can make happen.
func TestARaceInAWindow(t *testing.T) {
	const windows = `
		MPI_Win_create(4096 64 1 info world) = w
		1: MPI_Win_create(8192 64 1 info world) = w
		MPI_Win_fence(0 w) =
		1: MPI_Win_fence(0 w) =
		MPI_Put(100 2 int 1 0 2 int w) =
		1: MPI_Put(100 2 int 1 4 2 int w) =`
	race := func(j *job) finding.Finding {
		j.Play("MPI_Win_fence(0 w) =\n1: MPI_Win_fence(0 w) =")
		j.checks.End()
		j.checks.NotesComplete()
		j.checks.Conclude()
		for _, m := range j.said() {
			if strings.Contains(string(m.Finding.Code), "rma") {
				return m.Finding
			}
		}
		t.Fatal("no race is reported")
		return finding.Finding{}
	}
	for _, without := range []int{0, 1} {
		j := newJob(t, "", 1, windows)
		if j.ranks[without].Maps = nil; race(j).Meeting != nil {
			t.Errorf("they are made to meet without the memory map of rank %d", without)
		}
	}
	j := newJob(t, "", 1, windows)
	j.Symbols.At = map[uint64][]finding.Frame{5: {{Function: "f", File: "/src/a.c", Line: 5}},
		6: {{Function: "g", File: "/src/b.c", Line: 6}}}
	f := race(j)
	notes := strings.Join(finding.Sentences(f.Notes), "\n")
	if at := f.Places[0].Frame.Line; at != 5 && at != 6 || !strings.Contains(notes, map[int]string{5: "g (b.c:6)",
		6: "f (a.c:5)"}[at]) {
		t.Errorf("it is at line %d, and the other call where %q says", at, notes)
	}
	if f.Meeting == nil || f.Meeting.Owner != 1 || f.Meeting.Start != 4 || f.Meeting.End != 8 ||
		f.Meeting.Sites[0] == 0 || f.Meeting.Sites[0] == f.Meeting.Sites[1] {
		t.Errorf("another run may have its ranks meet by %+v", f.Meeting)
	}
}

// TestWhatChecksAskOfARank is answered from its symbols and sources.
func TestWhatChecksAskOfARank(t *testing.T) {
	dir := t.TempDir()
	file, script := filepath.Join(dir, "a.c"), filepath.Join(dir, "a.py")
	for name, text := range map[string]string{
		file:   "void f() {\n\tMPI_Send(cells + 1, 3, MPI_INT, to, 5, comm);\n\tsolve(grid, n);\n}\n",
		script: "comm.Send(field, 1)\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	j := newJob(t, "", 1, "")
	library := finding.Frame{Function: "wrap", File: "/usr/lib/x.c", Line: 3, Library: "x"}
	outer := finding.Frame{Function: "f", File: file, Line: 2}
	j.Symbols.At = map[uint64][]finding.Frame{5: {library, outer}, 6: {outer}}
	python := ring.PythonSite | 1
	j.ranks[0].Process.Python = map[uint64][]decode.Frame{python: {{Function: "run", File: script, Line: 1}}}
	j.ranks[0].Callers = map[uint64][]uint64{1: {6}}
	u, send := j.ranks[0].Use, j.Table.ByName("MPI_Send")
	for got, want := range map[string]string{
		u.Frame(5).Function:                 "f",
		u.Innermost(5).Function:             "wrap",
		u.Innermost(9).Function:             "",
		u.Argument(send, 6, 0):              "cells + 1",
		u.Argument(send, 6, 3):              "to",
		u.Argument(send, 9, 3):              "",
		u.Argument(send, python, 0):         "field",
		fmt.Sprint(len(u.Trail(1<<48 | 5))): "3",
		strings.Join(u.Passed(&finding.Frame{File: file, Line: 3}, "mod::solve"), ","): "grid,n",
	} {
		if got != want {
			t.Errorf("it is answered %q, want %q", got, want)
		}
	}
	if u.Lowest() != 0 || u.Now() == nil {
		t.Errorf("the program begins at %#x, its moment is %v", u.Lowest(), u.Now())
	}
	if j.Play("- Order 0 1"); u.Order == nil {
		t.Error("the order of the program's threads is not followed")
	}
}

// TestAFindingNamesArgumentsAsTheProgramWritesThem, and the places of calls that belong to it.
func TestAFindingNamesArgumentsAsTheProgramWritesThem(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(file, []byte("MPI_Send(cells, n - 4, MPI_INT, to, 5, comm);\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	j := newJob(t, "", 1, "")
	j.Symbols.At = map[uint64][]finding.Frame{1: {{Function: "f", File: file, Line: 1}},
		2: {{Function: "g", File: "/src/b.c", Line: 7}}}
	j.Play(`
		MPI_Send(buf -3 int 1 5 world) =
		MPI_Irecv(4096 1 int 1 7 world) = r1
		MPI_Recv(4096 1 int 1 8 world) = 1 8 4`)
	list := j.said()
	if len(list) != 2 {
		t.Fatalf("%d findings, want 2", len(list))
	}
	if got := list[0].Finding.Sentence; got != "Rank 0 calls MPI_Send with count (`n - 4`) -3; it must be 0 or more." {
		t.Errorf("of a count it says %q", got)
	}
	f := list[1].Finding
	if len(f.Related) != 1 || f.Related[0].Line != 7 || !strings.Contains(fmt.Sprint(f.Notes), "g (b.c:7)") {
		t.Errorf("of two calls it says %q with %+v, %+v", f.Sentence, f.Notes, f.Related)
	}
}

// TestAPersistentRequestUsesItsMemoryWhenItIsStarted, each time.
func TestAPersistentRequestUsesItsMemoryWhenItIsStarted(t *testing.T) {
	const made = "MPI_Recv_init(4096 1 int 1 5 world) = r1\nMPI_Recv_init(4096 1 int 1 6 world) = r2\n"
	for script, want := range map[string]string{
		"MPI_Start(r1) =\nMPI_Wait(r1) = 1 5 4\nMPI_Start(r2) =\nMPI_Wait(r2) = 1 6 4": "",
		"MPI_Start(r1) =\nMPI_Start(r2) =":                                             "buffer-overlap",
		"MPI_Start(r1) =\nMPI_Wait(r1) = 1 5 4\nMPI_Start(r2) =\nMPI_Start(r1) =":      "buffer-overlap",
	} {
		j := newJob(t, "", 1, made+script)
		codes := ""
		for _, m := range j.said() {
			codes += string(m.Finding.Code)
		}
		if codes != want {
			t.Errorf("%s\nis said %q, want %q", script, codes, want)
		}
	}
}

// TestAFindingIsOfTheThreadThatMadeTheCall.
func TestAFindingIsOfTheThreadThatMadeTheCall(t *testing.T) {
	j := newJob(t, "", 2, "0.1: MPI_Send(buf -3 int 0 5 self) =")
	list := j.said()
	if len(list) != 1 {
		t.Fatalf("%d findings", len(list))
	}
	self := j.ranks[0].Objects.Comm(j.Word("self")).ID
	if m := list[0]; m.Finding.Places[0].Thread != 1 || !slices.Equal(m.Scope.Contexts, []op.CommID{self}) {
		t.Errorf("it is of thread %d and belongs to %v, want 1 and MPI_COMM_SELF", m.Finding.Places[0].Thread,
			m.Scope.Contexts)
	}
}

// TestAccessesOfTheProgramToAWindow conflict with those of other ranks, unless they order something themselves.
func TestAccessesOfTheProgramToAWindow(t *testing.T) {
	for record, want := range map[string]bool{
		"8192 4 1 0 1 7 0": true,  // it stores what rank 0 writes
		"8192 4 1 0 0 7 0": true,  // it loads it
		"8192 4 1 0 3 7 0": false, // by an atomic operation
		"8220 4 1 0 1 7 0": false, // beside it
		"8184 4 3 4 1 7 0": true,  // three in a row, of which the last is there
		"8184 4 2 4 1 7 0": false,
	} {
		j := newJob(t, "", 1, `
			MPI_Win_create(4096 64 1 info world) = w
			1: MPI_Win_create(8192 64 1 info world) = w
			MPI_Win_fence(0 w) =
			1: MPI_Win_fence(0 w) =
			MPI_Put(100 2 int 1 0 2 int w) =
			1: - Accessed `+record+`
			MPI_Win_fence(0 w) =
			1: MPI_Win_fence(0 w) =`)
		j.checks.End()
		j.checks.NotesComplete()
		j.checks.Conclude()
		var codes []string
		for _, m := range j.said() {
			codes = append(codes, string(m.Finding.Code))
		}
		if got := slices.ContainsFunc(codes, func(c string) bool { return strings.HasPrefix(c, "rma-") }); got != want {
			t.Errorf("access %s: %v, want a race: %t", record, codes, want)
		}
	}
}
