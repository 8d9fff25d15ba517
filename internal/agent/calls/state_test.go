package calls

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/model/objects"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

func TestWhatMayNotBeAll(t *testing.T) {
	for _, c := range []struct {
		script              string
		incomplete, certain bool
	}{
		{"MPI_Barrier(world) =", false, true},
		{"MPI_Barrier(strange) =", true, true},
		{"MPI_Send(buf 1 int 1 5 strange) =", false, true},
		{"MPI_Barrier(world) fails 5", true, true},
		{"MPI_Comm_rank(world) fails 5", false, true}, // it concerns no other rank
		{"MPI_Start(strange) =", true, false},
		{"- Name 2000 'MPI_Future", true, false},
		{"- Again 3 0 0", true, false},
		{"MPI_Comm_set_attr(self keyval) =", true, true}, // MPI_Finalize calls its delete function
		{"MPI_Comm_set_attr(world keyval) =", false, true},
		{"MPI_Comm_set_attr(strange keyval) =", false, true},
		{"MPI_Win_set_attr(w keyval) =", false, true},
	} {
		s := play(t, 2, c.script)
		r := s.threads["0"].Rank
		if r.Incomplete() != c.incomplete || r.Certain() != c.certain {
			t.Errorf("%s: may lack calls: %t, all is certain: %t, want %t and %t", c.script, r.Incomplete(), r.Certain(),
				c.incomplete, c.certain)
		}
		full := false
		if r.Objects.Certain() != c.certain {
			t.Errorf("%s: its objects are certain: %t, want %t", c.script, !c.certain, c.certain)
		}
		s.a.NoRoom = func() bool { return full }
		if full = true; r.Objects.Certain() {
			t.Errorf("%s: its objects are certain though some thread has no ring", c.script)
		}
	}
	if d := (Doubts{Lost: true}); !d.Incomplete() || d.Certain() {
		t.Error("records that cannot be read leave no doubt")
	}
}

// TestAnAttributeOfPythonCallsNothing: mpi4py has one of MPI_COMM_SELF, whose delete function calls no MPI.
func TestAnAttributeOfPythonCallsNothing(t *testing.T) {
	s := play(t, 1, "")
	f := s.a.Table.ByName("MPI_Comm_set_attr")
	s.record("0", &ring.Record{Func: f.ID, Kind: ring.Enter, Stamp: 1, Site: ring.PythonSite | 7,
		Words: s.words(f, "self keyval")})
	if s.threads["0"].Rank.Callbacks {
		t.Error("its delete function counts as one that may call MPI")
	}
}

func TestCallsAreCounted(t *testing.T) {
	s := play(t, 2, `
		MPI_Comm_size(world) =
		MPI_Iprobe(1 7 world) = 0 0 0 0
		MPI_Barrier(world) =
		1: MPI_Barrier(world) =`)
	if s.a.Calls != 4 || s.a.Idles != 2 || s.threads["0"].Calls != 3 {
		t.Errorf("%d calls, %d of them idle, %d of rank 0, want 4, 2 and 3", s.a.Calls, s.a.Idles, s.threads["0"].Calls)
	}
}

// TestACallIsNamedWithHowOftenItsPlaceWasReached, and not where calls may have been left out.
func TestACallIsNamedWithHowOftenItsPlaceWasReached(t *testing.T) {
	for name, c := range map[string]struct {
		call string
		want int
	}{
		"a call":               {"MPI_Send(buf 1 int 1 5 world) =", 3},
		"a local one":          {"MPI_Comm_size(world) =", 3},
		"a poll":               {"MPI_Iprobe(1 7 world) = 0 0 0 0", 0},
		"one that may echo":    {"MPI_Put(buf 1 int 1 0 1 int w) =", 0},
		"… with a request":     {"MPI_Rput(buf 1 int 1 0 1 int w) = none", 0},
		"a flush":              {"MPI_Win_flush(1 w) =", 0},
		"a lock, which cannot": {"MPI_Win_lock(shared 1 0 w) =", 3},
	} {
		s := play(t, 2, "")
		for range 3 {
			s.Line = 40
			s.more(c.call)
		}
		if got := s.threads["0"].Nth(); got != c.want {
			t.Errorf("%s is the %d. of its place, want %d", name, got, c.want)
		}
	}
	s := play(t, 2, "MPI_Iprobe(1 7 world)")
	if s.threads["1"].Nth() != 0 {
		t.Error("a thread that has called nothing has a number")
	}
	s.more(`MPI_Iprobe(…) = 0 0 0 0
		MPI_Comm_size(world) =`)
	if got := s.threads["0"].Nth(); got != 1 {
		t.Errorf("after a poll a call has the number %d, want 1", got)
	}
}

func TestPlacesAreCountedApart(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	var v Visits
	send, recv := table.ByName("MPI_Send"), table.ByName("MPI_Recv")
	want := make(map[uint64]uint64)
	for i := range uint64(300) { // more than are found at once
		for _, f := range []*mpi.Func{send, recv, nil} {
			key := VisitedAt(f, i)
			v.Add(key, i%7)
			v.Add(key, 1)
			want[key] += i%7 + 1
		}
	}
	if len(want) != 900 {
		t.Fatalf("three calls at 300 places have %d keys", len(want))
	}
	for key, n := range want {
		if got := *v.of(key); got != n {
			t.Errorf("place %#x was reached %d times, want %d", key, got, n)
		}
	}
	for i := range uint64(maxPlaces + 10) {
		v.Add(1<<40+i, 1)
	}
	if len(v.all) != maxPlaces {
		t.Errorf("%d places are kept, want %d", len(v.all), maxPlaces)
	}
}

// TestTheLastCallsAreKept, of those that block, match or make something.
func TestTheLastCallsAreKept(t *testing.T) {
	s := play(t, 2, "")
	th := s.threads["0"]
	if th.Latest() != nil || th.First() != nil {
		t.Error("a thread without calls has a last one")
	}
	for tag := range 20 {
		s.more(fmt.Sprintf("MPI_Send(buf 1 int 1 %d world) =\nMPI_Comm_size(world) =", tag))
	}
	var tags []uint64
	for o := range th.Recent.All {
		tags = append(tags, o.First()[4])
	}
	if want := []uint64{4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}; !slices.Equal(tags, want) {
		t.Errorf("sends with the tags %d are kept, want %d", tags, want)
	}
	for o := range th.Recent.All {
		if o.First()[4] != 4 {
			t.Error("it continues after it was stopped")
		}
		break
	}
	if got := th.First()[4]; got != 19 {
		t.Errorf("the last call is the one with tag %d", got)
	}
}

// TestWhatWildcardReceivesTook is asked for the oldest of the last eight that fits.
func TestWhatWildcardReceivesTook(t *testing.T) {
	s := play(t, 2, "MPI_Recv(buf 1 int 1 7 world) = 1 7 4")
	th := s.threads["0"]
	all := func(*Taken) bool { return true }
	if th.Took(all) != nil {
		t.Error("a receive from one rank has taken something from any")
	}
	for tag := range 10 {
		s.more(fmt.Sprintf("MPI_Recv(buf 1 int any anytag world) = 1 %d 4", tag))
	}
	if got := th.Took(all); got == nil || *got != (Taken{Src: 1, Tag: 2, Ctx: 1, Site: 4}) {
		t.Errorf("the oldest is %+v, want that with tag 2 at site 4", got)
	}
	var tags []int32
	th.Took(func(e *Taken) bool {
		tags = append(tags, e.Tag)
		return false
	})
	if !slices.Equal(tags, []int32{2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("those with the tags %d are asked in turn", tags)
	}
	if got := th.Took(func(e *Taken) bool { return e.Tag == 9 }); got == nil || got.Site != 11 {
		t.Errorf("that with tag 9 is %+v", got)
	}
	if got := th.Took(func(e *Taken) bool { return e.Tag == 1 }); got != nil {
		t.Errorf("%+v is still known", got)
	}
}

func TestBufferedBytesAreCountedUntilTheyAreSent(t *testing.T) {
	s := play(t, 2, "")
	r := s.threads["0"].Rank
	for _, c := range []struct {
		call string
		want int64
	}{
		{"MPI_Bsend(buf 3 int 1 5 world) =", 12},
		{"MPI_Bsend(buf 2 double 1 5 world) =", 28},
		{"MPI_Bsend(buf 2 strange 1 5 world) =", 28},
		{"MPI_Send(buf 2 double 1 5 world) =", 28},
		{"MPI_Buffer_flush() =", 0},
		{"MPI_Bsend(buf 3 int 1 5 world) =", 12},
		{"MPI_Buffer_detach() =", 0},
	} {
		if s.more(c.call); r.Buffered != c.want {
			t.Errorf("after %s %d bytes are buffered, want %d", c.call, r.Buffered, c.want)
		}
	}
}

func TestPollsInARow(t *testing.T) {
	const begin = `
		MPI_Irecv(buf 1 int 1 7 world) = r1
		MPI_Irecv(buf 1 int 1 8 world) = r2
		`
	for _, c := range []struct {
		script       string
		active, mute bool
		parts        string
	}{
		{"MPI_Test(r1)", true, false, "7"},
		{"MPI_Testall(2 [r1 r2])", true, false, "7 8"},
		{"MPI_Testany(3 [r1 none r1])", true, false, "7"},
		{"MPI_Test(strange)", true, true, ""},
		{"MPI_Iprobe(1 9 world)", true, false, "9"},
		{"MPI_Improbe(1 9 world)", true, false, "9"},
		{"MPI_Iprobe(1 9 strange)", true, true, ""},
		{"MPI_Win_test(w)", true, true, ""},
		{"MPI_Test(r1) = 1 1 7 4", false, false, ""},
		{"MPI_Barrier(world)", false, false, ""},
		{"MPI_Test(r1)\nMPI_Test(r2)\nMPI_Test(r1)", true, false, "7 8"},
		{"MPI_Iprobe(1 9 world)\nMPI_Iprobe(1 9 world)\nMPI_Iprobe(0 9 world)\nMPI_Iprobe(1 6 world)", true, false,
			"9 9 6"},
		{"MPI_Test(r1)\nMPI_Comm_size(world) =\nMPI_Test(r2)", true, false, "7 8"}, // it changes nothing
		{"MPI_Test(r1)\nMPI_Send(buf 1 int 1 5 world) =\nMPI_Test(r2)", true, false, "8"},
		{"MPI_Isendrecv(buf 1 int 1 5 buf 1 int 1 6 world) = r3\nMPI_Test(r3)", true, true, ""}, // two parts
		{"MPI_Isend(buf 1 int 1 5 world) = r1\nMPI_Test(r1)", true, true, ""},                   // two requests
		{"MPI_Send_init(buf 1 int 1 5 world) = r3\nMPI_Test(r3)", true, false, ""},
		{"MPI_Send_init(buf 1 int 1 5 world) = r3\nMPI_Start(r3) =\nMPI_Test(r3)", true, false, "5"},
	} {
		s := play(t, 2, begin+c.script)
		p := s.threads["0"].Polls
		if p == nil {
			p = new(PollStreak)
		}
		var tags []string
		for _, part := range p.Parts {
			tags = append(tags, fmt.Sprint(part.Tag))
		}
		if got := strings.Join(tags, " "); p.Active() != c.active || p.Mute != c.mute || got != c.parts {
			t.Errorf("%s: there are polls: %t, for something unknown: %t, for the tags %s, want %t, %t, %s", c.script,
				p.Active(), p.Mute, got, c.active, c.mute, c.parts)
		}
	}
}

// TestPollsForVeryMuchAreTakenToFindSomething: what is remembered of them has a bound.
func TestPollsForVeryMuchAreTakenToFindSomething(t *testing.T) {
	s := play(t, 2, "")
	p := &s.threads["0"].Polls
	for tag := range maxPolled {
		s.more(fmt.Sprintf("MPI_Iprobe(1 %d world)", tag))
	}
	if (*p).Mute || len((*p).Parts) != maxPolled {
		t.Errorf("%d polls are remembered, too many: %t", len((*p).Parts), (*p).Mute)
	}
	s.more("MPI_Iprobe(1 0 world)")
	if (*p).Mute {
		t.Error("one that is remembered is too much")
	}
	s.more("MPI_Iprobe(1 9999 world)")
	if !(*p).Mute || len((*p).Parts) != maxPolled {
		t.Errorf("%d polls are remembered, too many: %t", len((*p).Parts), (*p).Mute)
	}
}

// TestAThreadPolledLately: if its polls have become more within a second. While it was stopped it has not polled.
func TestAThreadPolledLately(t *testing.T) {
	var p PollStreak
	now := time.Unix(1000, 0)
	for _, c := range []struct {
		polls uint64
		after time.Duration
		want  bool
	}{
		{5, 0, false}, // when the last of these was is not known
		{5, 100 * time.Millisecond, false},
		{6, 100 * time.Millisecond, true},
		{6, 999 * time.Millisecond, true},
		{6, time.Millisecond, false},
		{7, 3 * time.Second, true},
	} {
		now = now.Add(c.after)
		if got := p.Lately(c.polls, now); got != c.want {
			t.Errorf("%d polls, %v later: %t, want %t", c.polls, c.after, got, c.want)
		}
	}
	if want := 1100 * time.Millisecond; p.Polling != want {
		t.Errorf("it has polled for %v, want %v", p.Polling, want)
	}
}

// TestTheStreakOfPollsBeganWithTheFirst, and knows the last one.
func TestTheStreakOfPollsBeganWithTheFirst(t *testing.T) {
	s := play(t, 2, "MPI_Iprobe(1 9 world)")
	s.a.Now = s.a.Now.Add(time.Minute)
	s.more("MPI_Iprobe(1 8 world)")
	p := s.threads["0"].Polls
	if !p.Since.Equal(time.Unix(1000, 0)) || p.Site != 2 || p.Func.Name != "MPI_Iprobe" || p.Words[1] != 8 {
		t.Errorf("the polls are %s at %d with tag %d since %v", p.Func.Name, p.Site, p.Words[1], p.Since)
	}
	var none *PollStreak
	if none.Active() {
		t.Error("a thread that has never polled polls")
	}
}

func TestStampsOfOtherThreadsMayComeLate(t *testing.T) {
	s := play(t, 1, "")
	r := s.threads["0"].Rank
	f := s.a.Table.ByName("MPI_Comm_rank")
	for _, c := range []struct {
		stamp uint32
		want  uint64
	}{{5, 5}, {3, 5}, {0x7fffffff, 0x7fffffff}, {0xfffffff0, 0xfffffff0}, {4, 0x100000004}, {2, 0x100000004}} {
		s.record("0", &ring.Record{Func: f.ID, Kind: ring.Enter, Stamp: c.stamp, Words: []uint64{0}})
		if r.Stamped != c.want {
			t.Errorf("after a record with the stamp %#x the last one is %#x, want %#x", c.stamp, r.Stamped, c.want)
		}
	}
}

func TestAFunctionWithoutARowIsCalledAndNothingMore(t *testing.T) {
	s := play(t, 2, "MPI_Iprobe(1 9 world)")
	th := s.threads["0"]
	s.a.Take(th, &ring.Record{Func: 2001, Kind: ring.Enter, Stamp: 7, Site: 9})
	s.a.Take(th, &ring.Record{Func: 2001, Kind: ring.Exit, Stamp: 8})
	if th.Polls.Active() || th.Func != nil || th.Op != nil || th.Site != 9 || th.Nth() != 0 || th.Calls != 2 {
		t.Errorf("it polls: %t, is in %v, at site %d, call %d", th.Polls.Active(), th.Func, th.Site, th.Calls)
	}
	s.more("MPI_Barrier(world) =")
	if th.Func.Name != "MPI_Barrier" || th.Left != th.Stamp {
		t.Errorf("the last call is %s", th.Func.Name)
	}
}

func TestDatatypesAreLaidOutAsTheLibraryDoes(t *testing.T) {
	for library, want := range map[string]datatype.Rules{"Open MPI v4.1.4, package: Debian": datatype.OpenMPI,
		"MPICH Version: 4.0.2": datatype.MPICH, "": datatype.Standard, "Intel(R) MPI Library": datatype.Standard} {
		s := play(t, 1, "")
		r := NewRank(0)
		r.Library = library
		s.a.Know(r, 99, 2)
		if l := &r.Objects.Limits; r.Objects.Rules != want || l.TagUB != 99 || l.Level != 2 {
			t.Errorf("%s: rules %v, MPI_TAG_UB %d, level %d", library, r.Objects.Rules, l.TagUB, l.Level)
		}
	}
}

func TestWhatMPISaidAtItsStart(t *testing.T) {
	s := play(t, 1, `
		- Limits 77 1 3 1 MPI_Init_thread
		- Sessions 1`)
	r := s.threads["0"].Rank
	l := &r.Objects.Limits
	if r.Limits.Provided != 3 || l.TagUB != 77 || l.Required != 1 || l.Init.Func.Name != "MPI_Init_thread" ||
		l.Init.Site != 1 || !r.Objects.Sessions {
		t.Errorf("provided %d, MPI_TAG_UB %d, required %d by %s at %d, sessions %t", r.Limits.Provided, l.TagUB,
			l.Required, l.Init.Func.Name, l.Init.Site, r.Objects.Sessions)
	}
	if s.more("- Sessions 0"); r.Objects.Sessions {
		t.Error("MPI_Init was called, too")
	}
}

// TestObjectsThatAreMadeAgain: a record stands for the calls that make, commit and free them.
func TestObjectsThatAreMadeAgain(t *testing.T) {
	s := play(t, 1, `
		MPI_Type_contiguous(3 int) = three 12
		MPI_Type_commit(three) =
		MPI_Op_create(1) = mine
		MPI_Type_contiguous(4 int) = four 16`)
	th, before := s.threads["0"], s.a.Calls
	s.more(`
		- Known 2 three MPI_Type_contiguous @2
		- Known 1 mine MPI_Op_create @0
		- Known 3 gone MPI_Type_contiguous
		- Known 4096 three MPI_Type_contiguous
		- Again 2 three MPI_Type_free @90
		- Again 2 three MPI_Type_free @90
		- Again 1 0 0`)
	s.gave(`
		way 2: made at 1, committed at 2
		way 1: made at 3, committed at 0
		made in way 2
		made in way 2
		made in way 1`)
	if r := th.Rank; r.Again(0) != nil || r.Again(3) != nil || r.Again(4096) != nil || r.Again(2) == nil {
		t.Error("ways are known to make objects that are not")
	}
	if n := s.a.Calls - before; n != 7 || s.a.Remade != 7 || th.Calls != before+7 {
		t.Errorf("these records stand for %d calls, %d of them made again, want 7: three and three and one", n,
			s.a.Remade)
	}
	if r := th.Rank; r.Unmodelled {
		t.Error("not all that was made again is known")
	}
	if got := *th.Visits.of(VisitedAt(s.a.Table.ByName("MPI_Type_free"), 90)); got != 2 {
		t.Errorf("MPI_Type_free was called %d times, want 2", got)
	}
}

func TestASizeIsThatOfTheDatatypeTimesTheCount(t *testing.T) {
	s := play(t, 1, "")
	f := s.a.Table.ByName("MPI_Send")
	for call, want := range map[string]int64{"buf 3 double 0 5 world": 24, "buf 0 int 0 5 world": 0,
		"buf 3 strange 0 5 world": -1} {
		if got := s.threads["0"].Rank.Bytes(f, s.words(f, call)); got != want {
			t.Errorf("MPI_Send(%s) sends %d bytes, want %d", call, got, want)
		}
	}
}

// TestHowMuchACallMayHaveToMove says it of the last call of rank 0.
func TestHowMuchACallMayHaveToMove(t *testing.T) {
	for script, want := range map[string]int64{
		"MPI_Recv(buf 3 int 1 5 world)":                           24, // what it names, and what it waits for
		"MPI_Barrier(world)":                                      0,
		"MPI_Bcast(buf 3 int 0 world)":                            24,
		"MPI_Allgather(buf 3 int buf 2 double world)":             2 * (12 + 16),
		"MPI_Allgather(buf 3 strange buf 2 double world)":         2 * 16,
		"MPI_Irecv(buf 9 int 1 5 world) = r1\nMPI_Wait(r1)":       36,
		"MPI_Put(buf 5 int 1 0 5 int w) =\nMPI_Win_fence(0 w)":    20,
		"MPI_Put(buf 5 int 1 0 5 int w) =\nMPI_Comm_size(world)":  0,
		"MPI_Put(buf 5 int 1 0 5 int w) =\nMPI_Win_flush(1 w)":    20,
		"MPI_Put(buf 5 int 1 0 5 int w) =\nMPI_Win_flush(1 none)": 0,
		`MPI_Put(buf 5 int 1 0 5 int w) =
			MPI_Put(buf 1 strange 1 0 5 int w) =
			MPI_Put(buf 2 int 1 0 5 int w) =
			MPI_Win_fence(0 w)`: 28,
		`MPI_Put(buf 5 int 1 0 5 int w) =
			MPI_Win_fence(0 w) =
			MPI_Put(buf 2 int 1 0 5 int w) =
			MPI_Win_fence(0 w)`: 8,
	} {
		if got := play(t, 2, afterWindow.script+"\n"+script).threads["0"].Volume(); got != want {
			t.Errorf("%s moves %d bytes, want %d", script, got, want)
		}
	}
}

// TestWhatACallBelongsTo: contexts by the names of what they belong to, then the other ranks.
func TestWhatACallBelongsTo(t *testing.T) {
	for _, c := range []struct {
		script, want string
		collective   bool
	}{
		{"MPI_Comm_size(world)", "world", false},
		{"MPI_Send(buf 1 int 1 5 world)", "world world world [1 1]", false},
		{"MPI_Send(buf 1 int 1 5 strange)", "", false},
		{"MPI_Barrier(world)", "world world world", true},
		{"MPI_Ibarrier(self) = r1\nMPI_Wait(r1)", "self", false}, // that is the collective's
		{"MPI_Irecv(buf 1 int 1 5 world) = r1\nMPI_Wait(r1)", "world world [1]", false},
		{"MPI_Test(strange)", "", false},
		{"MPI_Win_fence(0 w)", "w w w", true},
		{"MPI_Win_lock(shared 1 0 w)", "w", false},
		{"MPI_Win_lock(shared 1 0 strange)", "", false},
		{"MPI_Win_create(buf 10 1 info world)", "world w2 world world", true},
		{"MPI_File_close(f)", "", false},
		{"MPI_Comm_create(world {0 0}) = odd\n- comm odd 0 0\nMPI_Barrier(odd)", "repeated", true},
		{"MPI_Group_incl(group 1 [0]) = g", "repeated", false},
		{"MPI_Iprobe(1 5 world)", "world", false},
	} {
		s := play(t, 2, afterWindow.script+"\n"+c.script)
		s.ctx[2] = "repeated"
		s.more("1: MPI_Win_create(buf 10 1 info world) = w2")
		h := s.threads["0"].See.(*heard)
		scope := s.threads["0"].ScopeOfOp()
		var words []string
		for _, id := range scope.Contexts {
			words = append(words, h.context(id))
		}
		if len(scope.Peers) > 0 {
			words = append(words, fmt.Sprint(scope.Peers))
		}
		if got := strings.Join(words, " "); got != c.want || scope.Collective != c.collective {
			t.Errorf("%s belongs to %q, collective: %t, want %q, %t", c.script, got, scope.Collective, c.want, c.collective)
		}
	}
	s := play(t, 1, "")
	if scope := s.threads["0"].ScopeOfOp(); scope.Contexts != nil || scope.Collective {
		t.Errorf("a thread without calls belongs to %+v", scope)
	}
}

func TestWhoLeadsAGroup(t *testing.T) {
	for script, want := range map[string]op.Rank{
		"MPI_Intercomm_create(world 1 self 0 3)":   1,
		"MPI_Intercomm_create(world 0 self 0 3)":   op.Unknown,
		"MPI_Intercomm_create(world 7 self 0 3)":   op.Unknown,
		"MPI_Intercomm_create(strange 1 self 0 3)": op.Unknown,
		"MPI_Bcast(buf 1 int 1 world)":             op.Unknown,
		"MPI_Comm_size(world)":                     op.Unknown,
	} {
		if got := play(t, 2, script).threads["0"].Leader(); got != want {
			t.Errorf("%s waits for leader %d, want %d", script, got, want)
		}
	}
}

// TestMarksOfThreadsThatCallAtTheSameTime: what the wait-state system is given of two threads of rank 0.
func TestMarksOfThreadsThatCallAtTheSameTime(t *testing.T) {
	s := play(t, 2, `
		MPI_Improbe(any 7 world)
		0.1: MPI_Irecv(buf 1 int 1 7 world) = r1
		MPI_Improbe(…) = 1 m1 1 7 4
		MPI_Improbe(any 7 world)
		0.1: MPI_Isend(buf 1 int 1 7 world) = r2
		MPI_Improbe(…) = 1 m2 1 7 4
		0.1: MPI_Irecv(buf 1 int 1 7 world) = r3
		MPI_Isend(buf 2 int 1 7 world)
		0.1: MPI_Isend(buf 1 int 1 7 world) = r4`)
	o := s.threads["0"].Rank.Objects
	for name, want := range map[string]bool{"m1": true, "r1": true, "m2": false, "r2": false, "r3": false, "r4": true} {
		p := o.Messages[s.Word(name)]
		if p == nil {
			p = o.Requests.Get(s.Word(name)).Parts[0]
		}
		if p.Unordered != want {
			t.Errorf("what %s stands for has no order: %t, want %t", name, p.Unordered, want)
		}
	}
}

// TestAStatusThatTheProgramIgnores is one that MPI has filled in all the same.
func TestAStatusThatTheProgramIgnores(t *testing.T) {
	play(t, 2, fmt.Sprintf("MPI_Recv(buf 1 int any 7 world) = 1 %d 4", 7|mpi.StatusIgnored)).gave(`
		MPI_Recv starts receive 0<any tag 7 in world wild room for 4 and waits for it
		matched rank 1 tag 7
		returned`)
}

// TestReductionsAreSignedByTheirOperators, which all members have to name alike.
func TestReductionsAreSignedByTheirOperators(t *testing.T) {
	sign := func(call string) uint64 {
		s := play(t, 2, "MPI_Op_create(1) = mine\nMPI_Op_create(0) = yours\n"+call)
		return s.threads["0"].Op.Posts[0].Sig.Fold
	}
	sum, maximum := sign("MPI_Allreduce(buf buf 1 int sum world)"), sign("MPI_Allreduce(buf buf 1 int max world)")
	if sum == 0 || sum == maximum || sign("MPI_Scan(buf buf 1 double sum world)") != sum {
		t.Errorf("a sum is signed %d, a maximum %d", sum, maximum)
	}
}

// TestACallThatIsKeptIsOneOfItsThread, also if nobody has to wait for it: folding finds the calls of a rank by that.
func TestACallThatIsKeptIsOneOfItsThread(t *testing.T) {
	s := play(t, 2, afterWindow.script+`
		1.1: MPI_Put(buf 1 int 1 0 1 int w) =
		1.1: MPI_Win_fence(0 w) =
		1.1: MPI_Comm_set_name(world all) =`)
	n := 0
	for o := range s.threads["1.1"].Recent.All {
		if n++; o.Rank != 1 || o.Thread != 1 {
			t.Errorf("%s is a call of rank %d, thread %d", s.a.Table.ByID(o.Fn).Name, o.Rank, o.Thread)
		}
	}
	if n != 3 {
		t.Errorf("%d calls are kept, want 3", n)
	}
}

// TestARecordThatIsCutOffSaysNothingOfAMessage, as the program may have overwritten its ring.
func TestARecordThatIsCutOffSaysNothingOfAMessage(t *testing.T) {
	for _, words := range [][]uint64{nil, {1}, {1, 7}, {1, 7, 4}} {
		s := play(t, 2, "MPI_Recv(buf 1 int any 7 world)")
		s.list = nil
		s.record("0", &ring.Record{Func: s.a.Table.ByName("MPI_Recv").ID, Kind: ring.Exit, Stamp: 2, Words: words})
		if matched := s.list[0] == "matched rank 1 tag 7"; matched != (len(words) == 3) {
			t.Errorf("of %d words the observer was given %q", len(words), s.list)
		}
	}
}

func TestWhatIsKnownOfAPersistentRequest(t *testing.T) {
	s := play(t, 2, "MPI_Recv_init(buf 1 int any 7 world) = r1\nMPI_Ssend_init(buf 1 int 1 7 world) = r2")
	get := func(name string) *objects.Request { return s.threads["0"].Rank.Objects.Requests.Get(s.Word(name)) }
	if q := get("r1"); q.Started || q.Active || !q.Persistent || !q.Wild || q.Standard || q.Comm == nil {
		t.Errorf("at first it is %+v", q)
	}
	if q := get("r2"); q.Standard || q.Wild {
		t.Errorf("a synchronous send is %+v", q)
	}
	s.more("MPI_Start(r1) =")
	if q := get("r1"); !q.Started || !q.Active || s.threads["0"].Rank.Objects.Lost {
		t.Errorf("when it was started it is %+v", q)
	}
	s.more("MPI_Wait(r1) = 1 7 4")
	if q := get("r1"); !q.Started || q.Active {
		t.Errorf("when it is complete it is %+v", q)
	}
	s.more("MPI_Start(r1) =\nMPI_Start(r1) =")
	if !s.threads["0"].Rank.Objects.Lost { // Open MPI may give it another handle
		t.Error("one that is started twice is still known")
	}
}

func TestWhatIsNoCallIsNoPoll(t *testing.T) {
	s := play(t, 1, "")
	if IsPoll(nil) || IsPoll(s.a.Table.ByName("MPI_Wait")) || !IsPoll(s.a.Table.ByName("MPI_Parrived")) {
		t.Error("a poll is none, or another call is one")
	}
	if n := (&Thread{Current: Current{Func: s.a.Table.ByName("MPI_Send")}}).Nth(); n != 0 {
		t.Errorf("a call of a place that is not counted is its %d.", n)
	}
}
