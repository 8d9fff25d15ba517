package calls

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/test/testkit/script"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// scene is some ranks of one agent that follow a script (package script). What their observers are given is written
// down, a line each.
type scene struct {
	*testing.T
	*script.Script
	a       *Follower
	threads map[string]*Thread
	ctx     map[op.CommID]string
	others  int // contexts that have no handle
	list    []string
	carried bool // only what collectives carry is written down
}

// play has ranks of one agent follow a script, after what every rank says first.
func play(t *testing.T, ranks int, text string) *scene {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	node := waitstate.NewNode(0, func(op.Rank) int { return 0 })
	s := &scene{T: t, Script: script.New(table), a: New(table, node), threads: make(map[string]*Thread),
		ctx: map[op.CommID]string{objects.WorldID: "world"}}
	s.a.Records, s.a.Contents, s.a.Now = true, true, time.Unix(1000, 0)
	for i := range ranks {
		r := NewRank(op.Rank(i))
		r.Size = ranks
		s.a.Know(r, 1<<20, 3)
		s.thread(r, 0)
		s.thread(r, 1)
		r.Threads = r.Threads[:1] // the other one begins with its first record
		for _, rec := range s.Begin(i, ranks) {
			s.a.Take(r.Threads[0], &rec)
		}
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
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, records, err := s.Read(line)
		t := s.threads[name]
		if err != nil || t == nil {
			s.Fatalf("line %q: %v, thread %v", line, err, t)
		}
		if len(t.Rank.Threads) == 1 && t != t.Rank.Threads[0] {
			t.Rank.Threads = append(t.Rank.Threads, t)
		}
		for i := range records {
			s.a.Take(t, &records[i])
		}
	}
}

// words are those of an Enter record.
func (s *scene) words(f *mpi.Func, arguments string) []uint64 {
	s.Helper()
	words, err := s.Words(f, arguments, true)
	if err != nil {
		s.Fatal(err)
	}
	return words
}

// record puts a record that no script has.
func (s *scene) record(thread string, rec *ring.Record) { s.a.Take(s.threads[thread], rec) }

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
