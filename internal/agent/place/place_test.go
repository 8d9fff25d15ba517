package place_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/agent/calls"
	"unknot/internal/agent/place"
	"unknot/internal/check"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/test/testkit/followed"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// job is one of three ranks, whose last calls are asked for.
type job struct {
	*followed.Job
	place.Places
	rank *calls.Rank
	last map[uint16]words
}

// words are those of an Enter record.
type words struct {
	list  []uint64
	stamp uint32
}

type remembers struct {
	followed.Silent
	j *job
	t *calls.Thread
}

func (r remembers) Began() {
	c := r.t.Call
	r.j.last[c.Func.ID] = words{append([]uint64(nil), c.Words...), c.Stamp}
}

func newJob(t *testing.T, script string) *job {
	t.Helper()
	j := &job{Job: followed.New(t), last: make(map[uint16]words)}
	j.Places = place.New(j.Table, j.Symbols, &symbol.Owners{})
	j.rank = j.Rank(1, 3)
	j.Thread(j.rank, func(t *calls.Thread) calls.Observer { return remembers{j: j, t: t} })
	j.Threads["0"] = j.Threads["1"]
	j.Play(script)
	return j
}

// source is a frame of the user's code.
func source(function, file string, line int) finding.Frame {
	return finding.Frame{Function: function, File: "/src/" + file, Line: line}
}

func TestArgumentsAreWordedInTermsOfMPI(t *testing.T) {
	const before = `
		MPI_Comm_split(world 0 0) = half
		- comm half 2 1
		MPI_Intercomm_create(self 0 world 2 3) = both
		- inter both 1 | 0 2
		MPI_Comm_set_name(both pair) =
		MPI_Comm_split(world 0 0) = half
		- comm half 2 1
		MPI_Comm_set_name(half half) =
		MPI_Type_contiguous(3 int) = three 12
		MPI_Type_contiguous(3 int) = strange -1
		`
	for call, want := range map[string]string{
		"MPI_Send(buf 3 int 2 5 world)":              "to rank 2, tag 5, MPI_COMM_WORLD, 3 × MPI_INT",
		"MPI_Isend(buf 3 int nobody 5 world)":        "to MPI_PROC_NULL, tag 5, MPI_COMM_WORLD, 3 × MPI_INT",
		"MPI_Send(buf 3 int any 5 world)":            "to rank -2, tag 5, MPI_COMM_WORLD, 3 × MPI_INT",
		"MPI_Send_init(buf 3 int 2 5 world)":         "to rank 2, tag 5, MPI_COMM_WORLD, 3 × MPI_INT",
		"MPI_Psend_init(buf 2 3 int 2 5 world info)": "to rank 2, tag 5, MPI_COMM_WORLD, 3 × MPI_INT",
		"MPI_Recv(buf 3 int any anytag world)":       "from any source, any tag, MPI_COMM_WORLD, 3 × MPI_INT",
		"MPI_Recv(buf 3 int nobody 1 world)":         "from MPI_PROC_NULL, tag 1, MPI_COMM_WORLD, 3 × MPI_INT",
		"MPI_Recv(buf 3 int 9 1 world)":              "from rank 9, tag 1, MPI_COMM_WORLD, 3 × MPI_INT",
		"MPI_Recv(buf 1 int 0 1 half)":               "from rank 0 (world rank 2), tag 1, half, 1 × MPI_INT",
		"MPI_Recv(buf 1 int 1 1 half)":               "from rank 1, tag 1, half, 1 × MPI_INT",
		"MPI_Send(buf 1 int 1 1 both)":               "to rank 1 (world rank 2), tag 1, pair, 1 × MPI_INT",
		"MPI_Send(buf 1 int 1 1 unknown)":            "to rank 1, tag 1, 1 × MPI_INT",
		"MPI_Send(buf 1 int 1 1 nocomm)":             "to rank 1, tag 1, MPI_COMM_NULL, 1 × MPI_INT",
		"MPI_Send(buf 1 three 1 1 world)":            "to rank 1, tag 1, MPI_COMM_WORLD, 1 × a derived type of 12 bytes",
		"MPI_Send(buf 1 strange 1 1 world)":          "to rank 1, tag 1, MPI_COMM_WORLD, 1 × a derived type",
		"MPI_Send(buf 1 0 1 1 world)":                "to rank 1, tag 1, MPI_COMM_WORLD, 1 × an invalid datatype",
		"MPI_Sendrecv(buf 1 int 2 5 buf 2 double any anytag world)": "to rank 2, tag 5, from any source, any tag, " +
			"MPI_COMM_WORLD, 1 × MPI_INT",
		"MPI_Isendrecv(buf 1 int 2 5 buf 2 double 0 6 world)": "to rank 2, tag 5, from rank 0, tag 6, " +
			"MPI_COMM_WORLD, 1 × MPI_INT",
		"MPI_Iprobe(any 5 world)":                            "from any source, tag 5, MPI_COMM_WORLD",
		"MPI_Put(buf 3 int 2 0 3 int w)":                     "of rank 2, 3 × MPI_INT",
		"MPI_Win_lock(shared 2 0 w)":                         "of rank 2",
		"MPI_Win_flush(2 w)":                                 "of rank 2",
		"MPI_Win_unlock(2 w)":                                "of rank 2",
		"MPI_Rget(buf 3 int 2 0 3 int w)":                    "of rank 2, 3 × MPI_INT",
		"MPI_Bcast(buf 3 int 2 world)":                       "root 2, MPI_COMM_WORLD, 3 × MPI_INT",
		"MPI_Bcast(buf 3 int root both)":                     "root MPI_ROOT, pair, 3 × MPI_INT",
		"MPI_Bcast(buf 3 int nobody both)":                   "root MPI_PROC_NULL, pair, 3 × MPI_INT",
		"MPI_Bcast(buf 3 int 1 both)":                        "root 1, pair, 3 × MPI_INT",
		"MPI_Bcast(buf 3 int nobody world)":                  "root -1, MPI_COMM_WORLD, 3 × MPI_INT",
		"MPI_Reduce(buf buf 1 double sum 0 world)":           "root 0, MPI_SUM, MPI_COMM_WORLD, 1 × MPI_DOUBLE",
		"MPI_Allreduce(buf buf 1 double mine world)":         "a user-defined operator, MPI_COMM_WORLD, 1 × MPI_DOUBLE",
		"MPI_Allreduce(buf buf 1 double 0 world)":            "an invalid operator, MPI_COMM_WORLD, 1 × MPI_DOUBLE",
		"MPI_Barrier(self)":                                  "MPI_COMM_SELF",
		"MPI_Waitall(3 [a b c])":                             "3 requests",
		"MPI_Waitany(1 [a])":                                 "1 request",
		"MPI_Waitsome(0 [])":                                 "0 requests",
		"MPI_Comm_create_from_group({0 1} mine info errors)": `tag "mine"`,
		"MPI_Intercomm_create(world 2 half 0 7)":             "local leader rank 2, tag 7, MPI_COMM_WORLD",
		"MPI_Intercomm_create(world 1 half 0 7)": "local leader rank 1, remote leader rank 0 (world rank 2), tag 7, " +
			"MPI_COMM_WORLD",
		"MPI_Finalize()": "",
	} {
		j := newJob(t, before+call)
		f := j.Table.ByName(call[:strings.IndexByte(call, '(')])
		w := j.last[f.ID]
		if got := j.Args(&j.rank.Process, f, w.list, w.stamp).Text; got != want {
			t.Errorf("%s is worded\n%s\nwant\n%s", call, got, want)
		}
		j.Args(&j.rank.Process, f, w.list[:len(w.list)/2], w.stamp) // of a record that is cut off as much as there is
	}
}

func TestARecordThatIsCutOffIsWordedAsFarAsItGoes(t *testing.T) {
	j := newJob(t, "MPI_Sendrecv(buf 1 int 2 5 buf 2 double 0 6 world)\nMPI_Reduce(buf buf 1 double sum 0 world)")
	for name, want := range map[string][]string{
		"MPI_Sendrecv": {"", "", "", "1 × MPI_INT", "to rank 2, 1 × MPI_INT", "to rank 2, tag 5, 1 × MPI_INT",
			"to rank 2, tag 5, 1 × MPI_INT", "to rank 2, tag 5, 1 × MPI_INT", "to rank 2, tag 5, 1 × MPI_INT",
			"to rank 2, tag 5, from rank 0, 1 × MPI_INT", "to rank 2, tag 5, from rank 0, tag 6, 1 × MPI_INT",
			"to rank 2, tag 5, from rank 0, tag 6, MPI_COMM_WORLD, 1 × MPI_INT"},
		"MPI_Reduce": {"", "", "", "", "1 × MPI_DOUBLE", "MPI_SUM, 1 × MPI_DOUBLE", "root 0, MPI_SUM, 1 × MPI_DOUBLE",
			"root 0, MPI_SUM, MPI_COMM_WORLD, 1 × MPI_DOUBLE"},
	} {
		f := j.Table.ByName(name)
		for n, want := range want {
			if got := j.Args(&j.rank.Process, f, j.last[f.ID].list[:n], 9).Text; got != want {
				t.Errorf("the first %d words of %s are worded %q, want %q", n, name, got, want)
			}
		}
	}
}

// TestTheRanksOfArgumentsAreKnown, so that a report needs not read its own words.
func TestTheRanksOfArgumentsAreKnown(t *testing.T) {
	j := newJob(t, "MPI_Comm_split(world 0 0) = half\n- comm half 2 1\nMPI_Send(buf 3 int 0 5 half)")
	f := j.Table.ByName("MPI_Send")
	pieces, ranks := j.Args(&j.rank.Process, f, j.last[f.ID].list, 9).Cut()
	if fmt.Sprint(ranks) != "[0 2]" || pieces[1] != " (world rank " {
		t.Errorf("the ranks are %v between %q", ranks, pieces)
	}
}

func TestACommunicatorIsNamedByHowItWasMade(t *testing.T) {
	j := newJob(t, `
		MPI_Comm_split(world 0 0) = a
		- comm a 0 1
		MPI_Comm_dup(a) = b
		- comm b 0 1
		MPI_Comm_set_name(a rows) =
		MPI_Comm_dup(a) = c
		- comm c 0 1
		MPI_Comm_create_from_group({0 1} mine info errors) = d
		- comm d 0 1
		MPI_Comm_dup(d) = e
		- comm e 0 1
		MPI_Comm_create(world {1 1}) = g
		- comm g 1 1
		MPI_Comm_dup(world) = h
		- comm h 0 1 2
		MPI_Cart_create(world 1 [2] [0] 0) = i
		- comm i 0 1
		MPI_Cart_sub(i [1]) = k
		- comm k 0 1
		MPI_Graph_create(world 2 [1 2] [1 0] 0) = l
		- comm l 0 1
		MPI_Intercomm_create(self 0 world 2 3) = m
		- inter m 1 | 2
		MPI_Intercomm_merge(m 0) = n
		- comm n 1 2
		MPI_Comm_create_group(world {1} 7) = o
		- comm o 1
		MPI_Comm_size(world) =
		- comm f 0 1 -1`)
	j.Symbols.At = map[uint64][]finding.Frame{1: {source("main", "a.c", 17)}, 3: {source("main", "a.c", 17)},
		6: {source("main", "a.c", 20)}, 8: {source("main", "b.c", 8)}, 10: {source("main", "b.c", 9)}}
	for name, want := range map[string][2]string{ // and the form, where it is another
		"world": {"MPI_COMM_WORLD"},
		"a":     {"rows", "split of MPI_COMM_WORLD at a.c:17"},
		"b":     {"duplicate of rows at a.c:17"}, // one line has made both
		"c":     {"duplicate of rows at a.c:20"},
		"d":     {`communicator "mine" at b.c:8`},
		"e":     {`duplicate of communicator "mine" at b.c:8 at b.c:9`},
		"f":     {"a communicator of other processes"},
		"g":     {"a communicator with a process twice"},
		"h":     {"duplicate of MPI_COMM_WORLD"},
		"i":     {"Cartesian topology of MPI_COMM_WORLD"},
		"k":     {"slice of Cartesian topology of MPI_COMM_WORLD"},
		"l":     {"graph topology of MPI_COMM_WORLD"},
		"m":     {"intercommunicator of MPI_COMM_SELF"},
		"n":     {"merge of intercommunicator of MPI_COMM_SELF"},
		"o":     {"subset of MPI_COMM_WORLD"},
	} {
		c := j.rank.Objects.Comm(j.Word(name))
		if got := j.CommName(&j.rank.Process, c); got != want[0] {
			t.Errorf("%s is called %q, want %q", name, got, want[0])
		}
		if got := j.CtxName(&j.rank.Process, c.ID); c.ID != 0 && c.ID != objects.RepeatedID && got != want[0] {
			t.Errorf("by its identity %s is called %q, want %q", name, got, want[0])
		}
		if want[1] == "" {
			want[1] = want[0]
		}
		form, _, _ := strings.Cut(j.CommWords(&j.rank.Process, c).Form, "\x00")
		if name == "a" && !strings.Contains(form, "split") {
			t.Errorf("the form of %s is %q, want how it was made", name, form)
		}
	}
	if got := j.CommName(&j.rank.Process, nil); got != "a communicator that unknot does not know" {
		t.Errorf("one that is not known is called %q", got)
	}
	if got := j.CtxName(&j.rank.Process, 4711); got != "another communicator" {
		t.Errorf("one of an identity that is not known is called %q", got)
	}
	private := *j.rank.Objects.Comm(j.Word("h"))
	private.Private = true
	if got := j.CommName(&j.rank.Process, &private); got != "mpi4py's duplicate of MPI_COMM_WORLD" {
		t.Errorf("that of mpi4py is called %q", got)
	}
	if private.Name = "mine"; j.CommName(&j.rank.Process, &private) != "mine" {
		t.Error("the program has named that of mpi4py")
	}
}

func TestHowAFunctionMakesACommunicator(t *testing.T) {
	j := newJob(t, "")
	for name, want := range map[string]string{"MPI_Comm_dup": "duplicate", "MPI_Comm_idup": "duplicate",
		"MPI_Comm_split": "split", "MPI_Comm_split_type": "split", "MPI_Comm_create": "subset",
		"MPI_Comm_create_group": "subset", "MPI_Cart_create": "Cartesian topology", "MPI_Cart_sub": "slice",
		"MPI_Graph_create": "graph topology", "MPI_Dist_graph_create": "graph topology",
		"MPI_Intercomm_create": "intercommunicator", "MPI_Intercomm_merge": "merge"} {
		if got := place.Maker(j.Table.ByName(name)); got != want {
			t.Errorf("%s makes a %s, want %s", name, got, want)
		}
	}
}

func TestTheTrailOfACall(t *testing.T) {
	j := newJob(t, "")
	library := finding.Frame{Function: "wrap", File: "/usr/lib/x.c", Line: 3, Library: "x"}
	inner, outer, start := source("solve", "a.c", 4), source("main", "a.c", 9), finding.Frame{Function: "_start"}
	j.Symbols.At = map[uint64][]finding.Frame{5: {library}, 6: {library, inner}, 7: {outer, start}}
	j.rank.Callers = map[uint64][]uint64{2: {6, 7}}
	j.rank.Process.Python = map[uint64][]decode.Frame{ring.PythonSite | 1: {
		{Function: "run", File: "/src/a.py", Line: 3}, {Function: "go", File: "/usr/lib/python3/b.py", Line: 4}}}
	const called = 2<<ring.CallersShift | 5
	for site, want := range map[uint64]struct {
		trail string
		frame string
		knows bool
	}{
		0:                      {"", "", false},
		4:                      {"", "", false},
		5:                      {"wrap", "wrap (x.c:3)", false},
		6:                      {"wrap solve", "solve (a.c:4)", false},
		called:                 {"wrap wrap solve main", "solve (a.c:4)", true},
		ring.PythonSite | 1:    {"run go", "run (a.py:3)", true},
		ring.PythonSite | 2:    {"", "", false},
		3 << ring.CallersShift: {"", "", true},
	} {
		var names []string
		for _, f := range j.Trail(&j.rank.Process, site) {
			names = append(names, f.Function)
		}
		frame := j.Frame(&j.rank.Process, site)
		if got := strings.Join(names, " "); got != want.trail || frame.Where() != want.frame ||
			j.rank.KnowsCallers(site) != want.knows {
			t.Errorf("site %#x: trail %q, frame %q, whole: %t, want %q, %q, %t", site, got, frame.Where(),
				j.rank.KnowsCallers(site), want.trail, want.frame, want.knows)
		}
	}
	if f := j.Frames(&j.rank.Process, ring.PythonSite|1); f[0].Library != "" || f[1].Library == "" {
		t.Errorf("the code of %+v is of the wrong owners", f)
	}
	j.rank.Maps = nil
	if got := j.Trail(&j.rank.Process, called); got != nil {
		t.Errorf("without a memory map the trail is %v", got)
	}
}

func TestTheFramesOfASignalAreLeftOut(t *testing.T) {
	j := newJob(t, "")
	j.Symbols.At = map[uint64][]finding.Frame{1: {{Module: "vdso"}}, 2: {source("f", "a.c", 1)}, 3: {{Module: "x.so"}}}
	for _, c := range []struct {
		stack []uint64
		want  int
	}{{[]uint64{1, 2, 3}, 2}, {[]uint64{2, 1, 3}, 3}, {[]uint64{9, 2}, 1}, {nil, 0}} {
		if got := j.Named(&j.rank.Process, c.stack); len(got) != c.want {
			t.Errorf("stack %v has the frames %+v, want %d", c.stack, got, c.want)
		}
	}
}

func TestAPlaceIsACallOfARank(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "a.py")
	if err := os.WriteFile(script, []byte("x = 1\ncomm.allreduce(x)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	j := newJob(t, "MPI_Bcast(buf 1 int 0 world)\nMPI_Finalize()")
	j.Symbols.At = map[uint64][]finding.Frame{5: {source("f", "a.c", 4)}, 6: {source("main", "a.c", 9)}}
	j.rank.Callers = map[uint64][]uint64{1: {6}}
	bcast, finalize := j.Table.ByName("MPI_Bcast"), j.Table.ByName("MPI_Finalize")
	put := func(f *mpi.Func, site uint64) finding.Place {
		return j.Place(&j.rank.Process, f, site, j.last[f.ID].list, j.last[f.ID].stamp)
	}
	p := put(bcast, 5)
	if p.Rank != 1 || p.PID != 101 || p.Call != "MPI_Bcast" || p.Args != "root 0, MPI_COMM_WORLD, 1 × MPI_INT" ||
		p.Frame.Line != 4 || p.Stack != nil || p.WaitsFor == nil || p.Moment != 1 || p.Host == "" {
		t.Errorf("a call is at %+v", p)
	}
	if p := put(bcast, 1<<ring.CallersShift|5); len(p.Stack) != 2 {
		t.Errorf("with callers the stack is %v", p.Stack)
	}
	if p := j.Place(&j.rank.Process, nil, 5, nil, 1); p.Call != "" || p.Args != "" || p.Frame.Line != 4 {
		t.Errorf("outside of a call it is at %+v", p)
	}
	python := ring.PythonSite | 1
	j.rank.Process.Python = map[uint64][]decode.Frame{python: {{Function: "run", File: script, Line: 2}}}
	if p := put(bcast, python); len(p.Stack) != 1 ||
		p.Args != "root 0, MPI_COMM_WORLD, 1 × MPI_INT, in mpi4py's allreduce" {
		t.Errorf("in Python its arguments are %q, its stack %v", p.Args, p.Stack)
	}
	if p := put(finalize, 5); p.Call != "MPI_Finalize" || p.Frame.Line != 0 {
		t.Errorf("the interpreter calls %s at line %d, want none of the script", p.Call, p.Frame.Line)
	}
	j.rank.Process.Python = nil
	j.rank.Objects.Sessions = true
	if p := put(finalize, 5); p.Call != "MPI_Session_finalize" || p.Frame.Line != 4 {
		t.Errorf("the end of the sessions is called %s at line %d", p.Call, p.Frame.Line)
	}
	if got := place.InMethod(finding.Plain(""), "send"); got.Text != "in mpi4py's send" {
		t.Errorf("a method without arguments is %q", got.Text)
	}
}

func TestTheMomentOfARecordHasAllItsBits(t *testing.T) {
	for _, c := range []struct {
		last  uint64
		stamp uint32
		want  uint64
	}{{7, 7, 7}, {7, 3, 3}, {1 << 32, 0xffffffff, 1<<32 - 1}, {1<<32 + 5, 5, 1<<32 + 5}, {5<<32 + 1, 2, 4<<32 + 2}} {
		p := place.Process{Stamped: c.last}
		if got := p.Moment(c.stamp); got != c.want {
			t.Errorf("stamp %#x with the last record at %#x is %#x, want %#x", c.stamp, c.last, got, c.want)
		}
	}
}

func TestWhoHasFreedMemory(t *testing.T) {
	user, library := source("work", "a.cc", 3), func(name string) finding.Frame {
		return finding.Frame{Function: name, File: "/usr/include/c++/12/x", Library: "c++"}
	}
	for _, c := range []struct {
		passed []string // functions between the C library and the program
		want   string
	}{
		{nil, "freed"},
		{[]string{"std::vector<int, std::allocator<int>>::~vector"}, "freed by the destructor of std::vector"},
		{[]string{"std::__cxx11::basic_string<char>::~basic_string"}, "freed by the destructor of std::basic_string"},
		{[]string{"std::vector<int>::_M_free", "std::vector<int>::resize"}, "freed by std::vector::resize"},
		{[]string{"std::vector<int>::resize", "std::vector<int>::_M_grow"}, "freed by std::vector::resize"},
		{[]string{"std::swap<int>"}, "freed"}, // of no class
		{[]string{"boost::array<int>::clear"}, "freed"},
		{[]string{"operator delete"}, "freed"},
	} {
		j := newJob(t, "")
		j.Symbols.At = map[uint64][]finding.Frame{50: {user}, 60: {source("main", "a.cc", 9)}}
		stack := []uint64{40}
		for i, name := range c.passed {
			j.Symbols.At[uint64(40+i)] = []finding.Frame{library(name)}
			stack = append(stack, uint64(41+i))
		}
		got := j.Freed(&j.rank.Process, decode.Freed{How: ring.FreedFree, Site: 40, Stack: append(stack, 50, 60)})
		if got.Worded() != c.want || got.Site != 50 {
			t.Errorf("through %v memory is %s at %d, want %s at 50", c.passed, got.Worded(), got.Site, c.want)
		}
	}
	j := newJob(t, "")
	for how, want := range map[ring.FreedHow]string{ring.FreedRealloc: "moved by realloc", ring.FreedUnmap: "unmapped"} {
		if got := j.Freed(&j.rank.Process, decode.Freed{How: how, Site: 40, Stack: []uint64{41}}); got.How != want ||
			got.Site != 40 {
			t.Errorf("it is %s at %d, want %s at 40", got.How, got.Site, want)
		}
	}
	j.Symbols.At = map[uint64][]finding.Frame{50: {user}}
	python := ring.PythonSite | 1
	if got := j.Freed(&j.rank.Process, decode.Freed{Site: python, Stack: []uint64{50}}); got.Site != python {
		t.Errorf("in Python it is freed at %#x", got.Site)
	}
}

func TestWhatAnArgumentIsDeclaredAsIsAskedOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.c")
	text := "int main() {\n\tMPI_Recv(cells, 3, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE);\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	j := newJob(t, "")
	at := finding.Frame{Function: "main", File: file, Line: 2}
	j.Symbols.At = map[uint64][]finding.Frame{5: {at}, 6: {{Function: "main"}}}
	j.Symbols.Types = map[string]symbol.Declared{"cells": {Name: "cells", Size: 4}, "MPI_STATUS_IGNORE": {Size: 1},
		"MPI_INT": {Size: 4}}
	call := func(site uint64) *check.Call {
		return &check.Call{Call: objects.Call{Func: j.Table.ByName("MPI_Recv"), Site: site}}
	}
	for range 2 {
		d, ok := j.Declared(&j.rank.Process, call(5), 0)
		if !ok || d.Declared.Name != "cells" || len(d.Arguments) != 7 || d.Arguments[5] != "comm" {
			t.Errorf("the buffer is declared as %+v, %t", d, ok)
		}
		for param, why := range map[int]string{1: "a number", 2: "a constant of MPI", 6: "another one", 7: "nothing"} {
			if d, ok := j.Declared(&j.rank.Process, call(5), param); ok {
				t.Errorf("%s is declared as %+v", why, d)
			}
		}
	}
	if j.Symbols.Asked["declared cells"] != 1 || j.Symbols.Asked["declared 3"] != 1 ||
		j.Symbols.Asked["declared MPI_INT"] != 0 {
		t.Errorf("it was asked %v", j.Symbols.Asked)
	}
	for _, site := range []uint64{0, 6, 7, 1 << 40, ring.PythonSite | 1} {
		if d, ok := j.Declared(&j.rank.Process, call(site), 0); ok {
			t.Errorf("at site %#x it is declared as %+v", site, d)
		}
	}
	j.rank.Maps = nil
	if _, ok := j.Declared(&j.rank.Process, call(5), 0); ok {
		t.Error("without a memory map it is declared")
	}
}

func TestTheMemberOfAStruct(t *testing.T) {
	j := newJob(t, "")
	var asked []symbol.Struct
	j.Symbols.Member = func(s symbol.Struct) string {
		asked = append(asked, s)
		return map[int64]string{24: ".mass"}[s.Size]
	}
	real, err := datatype.Predefined("MPI_DOUBLE", 8, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	inner, err := datatype.Struct([]int64{1, 1}, []int64{0, 8}, []*datatype.Type{real, real})
	if err != nil {
		t.Fatal(err)
	}
	outer, err := datatype.Struct([]int64{1, 1}, []int64{0, 16}, []*datatype.Type{inner, real})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(site uint64, of *datatype.Type, n int64) string {
		return j.Field(&j.rank.Process, &waitstate.Origin{Site: site}, message.Element{Type: of, N: n})
	}
	if got := ask(5, outer, 1); got != ".mass" || len(asked) == 0 || asked[0].Size != 24 ||
		fmt.Sprint(asked[0].Displacements) != "[0 16]" {
		t.Errorf("an element of a struct in a struct is in %q, asked for %+v", got, asked)
	}
	for _, got := range []string{ask(5, nil, 0), ask(5, real, 0), ask(5, inner, 1), ask(ring.PythonSite|1, outer, 0)} {
		if got != "" {
			t.Errorf("one that nothing is known of is in %q", got)
		}
	}
	j.rank.Maps = nil
	if got := ask(5, outer, 0); got != "" {
		t.Errorf("without a memory map it is in %q", got)
	}
}

func TestTheLastCollectiveCallsOfEachCommunicator(t *testing.T) {
	j := newJob(t, `
		MPI_Barrier(world) =
		MPI_Bcast(buf 1 int 0 world) =
		MPI_Comm_dup(world) = dup
		- comm dup 0 1 2
		MPI_Barrier(dup) =
		MPI_Comm_split(world 0 0) = quiet
		- comm quiet 1
		MPI_Intercomm_create(self 0 world 2 3) = both
		- inter both 1 | 2
		MPI_Barrier(both) =
		MPI_Comm_dup(world) = freed
		- comm freed 0 1 2
		MPI_Barrier(freed) =
		MPI_Comm_free(freed) =`)
	j.Symbols.At = map[uint64][]finding.Frame{6: {source("main", "a.c", 7)}}
	ctx := map[op.CommID]string{}
	for _, name := range []string{"world", "self", "dup"} {
		ctx[j.rank.Objects.Comm(j.Word(name)).ID] = name
	}
	var got []string
	for _, c := range j.CollectiveCalls(&j.rank.Process) {
		got = append(got, fmt.Sprintf("%s %d %s %s", ctx[c.Ctx], c.Seq, c.Call, c.At.Where()))
	}
	for _, want := range []string{"world 4 MPI_Comm_dup ", "world 3 MPI_Comm_split main (a.c:7)", "world 2 MPI_Comm_dup ",
		"dup 0 MPI_Barrier ", "self 0 MPI_Intercomm_create "} {
		if !strings.Contains(strings.Join(got, "\n")+"\n", want+"\n") {
			t.Errorf("%q is missing of\n%s", want, strings.Join(got, "\n"))
		}
	}
	for _, c := range got {
		if strings.HasPrefix(c, " ") {
			t.Errorf("%q is of a communicator that has two groups, or was freed", c)
		}
	}
	for i := range 15 {
		j.Play(fmt.Sprintf("MPI_Comm_dup(world) = more%d\n- comm more%d 0 1 2\nMPI_Barrier(more%d) =", i, i, i))
	}
	if got := j.CollectiveCalls(&j.rank.Process); got != nil {
		t.Errorf("of more communicators than 16 there are %d calls", len(got))
	}
}

func TestWhereSessionsWereBegun(t *testing.T) {
	j := newJob(t, `
		MPI_Session_init(info errors) = s1
		MPI_Session_init(info errors) = s2
		MPI_Session_init(info errors) = s3
		MPI_Session_init(info errors) = s4
		MPI_Session_finalize(s2) =`)
	j.Symbols.At = map[uint64][]finding.Frame{1: {source("main", "a.c", 9)}, 2: {source("main", "a.c", 5)},
		3: {source("main", "a.c", 3)}}
	var lines []int
	for _, f := range j.Places.Begun(&j.rank.Process) {
		lines = append(lines, f.Line)
	}
	if fmt.Sprint(lines) != "[9 3]" {
		t.Errorf("they were begun at the lines %v, want 9 and 3", lines)
	}
}

func TestCallsOfOtherRanksAreWhereTheirAgentSays(t *testing.T) {
	j := newJob(t, "")
	f := j.Table.ByName("MPI_Put")
	notes := j.Elsewhere([]check.Elsewhere{{Rank: 2, Related: check.Related{Func: f, Site: 7, Text: "it writes"}},
		{Rank: 0, At: "main (b.c:1)", Related: check.Related{Func: f, Site: 8, Text: "it reads"}}},
		func(rank int, site uint64) string { return fmt.Sprintf("rank %d site %d", rank, site) })
	if len(notes) != 2 || !strings.Contains(fmt.Sprint(notes[0]), "rank 2 site 7") ||
		!strings.Contains(fmt.Sprint(notes[1]), "main (b.c:1)") || strings.Contains(fmt.Sprint(notes[1]), "site 8") {
		t.Errorf("the notes are %+v", notes)
	}
}
