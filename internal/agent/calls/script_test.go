package calls

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/test/testkit"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// A script is what threads call and what MPI returns, a line each; what the observers are given is written down, a line
// each, too. In a script
//
//	1: MPI_Recv(buf 1 int 0 7 world) = 0 7 4
//
// is a call of rank 1 with what its Enter and its Exit record hold, in the order of the function's parameters. Without
// "=" it does not return; with "fails 15" it returns that error. Arrays are written [1 2], groups {0 1} with the world
// ranks of their members, and a name that is no constant is a handle. A line without a number is of rank 0, one that
// begins with 0.1: of its second thread. "- Thread 1" is the record ring.DataThread. A call is at the site of its line.

// scene is some ranks of one agent that follow scripts.
type scene struct {
	*testing.T
	a       *Follower
	threads map[string]*Thread
	stamps  map[*Rank]uint32
	names   map[string]uint64
	ctx     map[op.CommID]string
	others  int // contexts that have no handle
	line    uint64
	list    []string
	carried bool // only what collectives carry is written down
}

var constants = map[string]string{"MPI_COMM_WORLD": "world", "MPI_COMM_SELF": "self", "MPI_COMM_NULL": "nocomm",
	"MPI_ANY_SOURCE": "any", "MPI_ANY_TAG": "anytag", "MPI_PROC_NULL": "nobody", "MPI_ROOT": "root",
	"MPI_UNDEFINED": "undefined", "MPI_REQUEST_NULL": "none", "MPI_MESSAGE_NO_PROC": "nomessage", "MPI_INT": "int",
	"MPI_DOUBLE": "double", "MPI_SUM": "sum", "MPI_MAX": "max", "MPI_IN_PLACE": "inplace", "MPI_LOCK_SHARED": "shared",
	"MPI_LOCK_EXCLUSIVE": "exclusive", "MPI_ERR_TRUNCATE": "truncate", "MPI_WIN_NULL": "nowin"}

var numbers = map[string]int64{"any": -2, "anytag": -3, "nobody": -1, "root": -4, "undefined": -32766, "shared": 234,
	"exclusive": 235, "truncate": 14, "inplace": -1000}

// play has ranks of one agent follow a script, after what every rank says first.
func play(t *testing.T, ranks int, text string) *scene {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	node := waitstate.NewNode(0, func(op.Rank) int { return 0 })
	s := &scene{T: t, a: New(table, node), threads: make(map[string]*Thread), stamps: make(map[*Rank]uint32),
		names: make(map[string]uint64), ctx: map[op.CommID]string{objects.WorldID: "world"}}
	s.a.Records, s.a.Contents, s.a.Now = true, true, time.Unix(1000, 0)
	known := make(map[string]uint64)
	for constant, name := range constants {
		known[constant] = s.word(name)
	}
	for i := range ranks {
		r := NewRank(op.Rank(i))
		r.Size = ranks
		s.a.Know(r, 1<<20, 3)
		s.thread(r, 0)
		s.thread(r, 1)
		first := s.threads[strconv.Itoa(i)]
		r.Threads = r.Threads[:1] // the other one begins with its first record
		data := func(id ring.DataID, words ...uint64) {
			s.a.Take(first, &ring.Record{Func: uint16(id), Kind: ring.Data, Words: words})
		}
		data(ring.DataConst, testkit.Constants(table, known)...)
		data(ring.DataType, s.word("int"), 4, s.word("double"), 8)
		data(ring.DataBasics, s.word("int"), 4, 4, 4, s.word("double"), 8, 8, 8)
		world := []uint64{s.word("world"), 0, uint64(ranks)}
		for m := range ranks {
			world = append(world, uint64(m))
		}
		data(ring.DataComm, append(world, 0)...)
		data(ring.DataComm, s.word("self"), 0, 1, uint64(i), 0)
	}
	s.list = nil
	s.more(text)
	return s
}

func (s *scene) thread(r *Rank, index op.Thread) {
	t := &Thread{Rank: r, WS: s.a.Node.NewThread(r.World, index), Call: new(objects.Call), Joins: -1}
	name := strconv.Itoa(int(r.World))
	if index > 0 {
		name += "." + strconv.Itoa(int(index))
	}
	t.See = &heard{scene: s, t: t, name: name}
	s.threads[name] = t
	r.Threads = append(r.Threads, t)
}

// more has them follow more lines.
func (s *scene) more(text string) {
	s.Helper()
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			s.line++
			s.follow(line)
		}
	}
}

// follow makes records of a line.
func (s *scene) follow(line string) {
	s.Helper()
	t := s.threads["0"]
	if who, rest, ok := strings.Cut(line, ": "); ok {
		if t, line = s.threads[who], rest; t == nil {
			s.Fatalf("%s: there is no such thread", line)
		}
	}
	if !slices.Contains(t.Rank.Threads, t) {
		t.Rank.Threads = append(t.Rank.Threads, t)
	}
	if rest, ok := strings.CutPrefix(line, "- "); ok {
		s.data(t, strings.Fields(rest))
		return
	}
	name, rest, _ := strings.Cut(line, "(")
	arguments, result, _ := strings.Cut(rest, ")")
	f := s.a.Table.ByName(name)
	if f == nil {
		s.Fatalf("%s: there is no %q", line, name)
	}
	put := func(kind ring.Kind, site uint64, words []uint64) {
		s.stamps[t.Rank]++
		s.a.Take(t, &ring.Record{Func: f.ID, Kind: kind, Stamp: s.stamps[t.Rank], Site: site, Words: words})
	}
	if arguments != "…" { // else the call has begun on a line before
		put(ring.Enter, s.line, s.record(f, arguments, true))
	}
	if code, ok := strings.CutPrefix(strings.TrimSpace(result), "fails "); ok {
		put(ring.Exit, s.word(code), nil)
	} else if _, given, ok := strings.Cut(result, "="); ok {
		put(ring.Exit, 0, s.record(f, given, false))
	}
}

// record are the words of an Enter or an Exit record: those parameters first that have a fixed number of them.
func (s *scene) record(f *mpi.Func, text string, enter bool) (words []uint64) {
	s.Helper()
	tokens := strings.Fields(strings.NewReplacer("[", " [ ", "]", " ] ", "{", " { ", "}", " } ").Replace(text))
	next := func() string {
		if len(tokens) == 0 {
			s.Fatalf("%s(%s): a parameter is missing", f.Name, text)
		}
		was := tokens[0]
		tokens = tokens[1:]
		return was
	}
	list := func(end string) (list []uint64) {
		next()
		for tokens[0] != end {
			list = append(list, s.word(next()))
		}
		next()
		return list
	}
	var varying []uint64
	for i := range f.Params {
		p := &f.Params[i]
		if p.Kind == mpi.KSkip || p.Kind.AtEntry() != enter {
			continue
		}
		switch p.Kind {
		case mpi.KGroup:
			members := list("}")
			varying = append(append(varying, s.word("group"), uint64(len(members))), members...)
		case mpi.KStr:
			varying = append(varying, spelt(next())...)
		case mpi.KOutStatuses, mpi.KRanges:
			all := list("]")
			varying = append(append(varying, uint64(len(all)/3)), all...)
		case mpi.KOutStatus:
			words = append(words, s.word(next()), s.word(next()), s.word(next()))
		case mpi.KOutType:
			words = append(words, s.word(next()), s.word(next()))
		default:
			if p.Kind.Varying() {
				all := list("]")
				varying = append(append(varying, uint64(len(all))), all...)
			} else {
				words = append(words, s.word(next()))
			}
		}
	}
	if len(tokens) > 0 {
		s.Fatalf("%s(%s): %q is too much", f.Name, text, tokens)
	}
	return append(words, varying...)
}

// spelt is a string as a probe writes it.
func spelt(text string) []uint64 {
	words := []uint64{uint64(len(text))}
	for i := range len(text) {
		if i%8 == 0 {
			words = append(words, 0)
		}
		words[len(words)-1] |= uint64(text[i]) << (8 * (i % 8))
	}
	return words
}

// word is the value of a number, a constant or a handle.
func (s *scene) word(name string) uint64 {
	if n, err := strconv.ParseInt(name, 0, 64); err == nil {
		return uint64(n)
	}
	if n, ok := numbers[name]; ok {
		return uint64(n)
	}
	if s.names[name] == 0 {
		s.names[name] = 0x44000000 + uint64(len(s.names))
	}
	return s.names[name]
}

// data puts a Data record. "- comm dup 0 1" and "- inter both 0 1 | 2" are communicators.
func (s *scene) data(t *Thread, f []string) {
	s.Helper()
	ids := map[string]ring.DataID{"comm": ring.DataComm, "inter": ring.DataComm, "Thread": ring.DataThread,
		"Join": ring.DataJoin, "Joined": ring.DataJoined, "ThreadEnd": ring.DataThreadEnd, "Forced": ring.DataForced,
		"Outcome": ring.DataOutcome, "Buffered": ring.DataBuffered, "Polled": ring.DataPolled,
		"Remade": ring.DataRemade, "Limits": ring.DataLimits, "Sessions": ring.DataSessions, "Error": ring.DataError,
		"Neighbours": ring.DataNeighbours, "Known": ring.DataKnown, "Again": ring.DataAgain, "Name": ring.DataName}
	id, known := ids[f[0]]
	if !known {
		s.Fatalf("there is no record %s", f[0])
	}
	var words []uint64
	site := s.line
	for _, name := range f[1:] {
		switch fn := s.a.Table.ByName(name); {
		case fn != nil:
			words = append(words, uint64(fn.ID))
		case strings.HasPrefix(name, "@"):
			site = s.word(name[1:])
		case strings.HasPrefix(name, "'"):
			words = append(words, spelt(name[1:])...)
		case name != "|":
			words = append(words, s.word(name))
		}
	}
	if id == ring.DataComm {
		local := slices.Index(append(f, "|"), "|") - 2
		kind := map[bool]uint64{true: 1}[f[0] == "inter"]
		members := words[1:]
		words = slices.Concat([]uint64{words[0], kind, uint64(local)}, members[:local],
			[]uint64{uint64(len(members) - local)}, members[local:])
	}
	s.a.Take(t, &ring.Record{Func: uint16(id), Kind: ring.Data, Site: site, Words: words})
}

// name is the name of a handle.
func (s *scene) name(handle uint64) string {
	for name, h := range s.names {
		if h == handle {
			return name
		}
	}
	return fmt.Sprint(handle)
}

// gave compares what the observers have been given with some lines.
func (s *scene) gave(want string) {
	s.Helper()
	var lines []string
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if got := strings.Join(s.list, "\n"); got != strings.Join(lines, "\n") {
		s.Errorf("the observers were given\n%s\nwant\n%s", got, strings.Join(lines, "\n"))
	}
	s.list = nil
}

// expect is a script, and what the observers are given by it.
type expect struct{ what, script, want string }

// check has two ranks follow each script.
func check(t *testing.T, table []expect) {
	t.Helper()
	setting{ranks: 2}.check(t, table)
}

// setting is what has happened before each script.
type setting struct {
	ranks  int
	script string
	data   bool // only what collectives carry is written down
}

func (b setting) check(t *testing.T, table []expect) {
	t.Helper()
	for _, c := range table {
		t.Run(c.what, func(t *testing.T) {
			s := play(t, b.ranks, b.script)
			s.list, s.carried = nil, b.data
			s.more(c.script)
			s.gave(c.want)
		})
	}
}
