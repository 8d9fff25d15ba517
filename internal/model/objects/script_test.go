package objects

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// script makes calls of one rank that are written as text, one a line:
//
//	MPI_Group_incl world 2 [0 3] -> g
//
// First the values that the Enter record has, in the order of the standard; after the arrow those of the Exit record,
// or "fails" for a call that returns an error. A value is a number, a name, or a list. A name stands for a handle: that
// of MPI's constant, or one that is drawn when the name is first used. {g 0 3} is a group with its world ranks, v/24 a
// datatype that has 24 bytes. A line is also the call site; "@7" before a call names another one, "@py7" one in Python.
type script struct {
	*Rank
	t      *testing.T
	table  *mpi.T
	follow *Follower
	names  map[string]uint64
	stamp  uint32
	line   uint64
}

// newScript makes a rank of MPI_COMM_WORLD with four processes, in an MPI library whose constants have made-up values.
func newScript(t *testing.T) *script {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	x := &script{Rank: NewRank(1), t: t, table: table, follow: Follow(table), names: make(map[string]uint64)}
	x.Rules = datatype.MPICH
	x.SetConstants(table, x.constants())
	x.addComm("world", &Comm{ID: WorldID, Rank: 1, Members: op.FirstRanks(4), Name: "MPI_COMM_WORLD"}, true)
	for name, size := range map[string]int64{"MPI_INT": 4, "MPI_DOUBLE": 8, "MPI_CHAR": 1} {
		x.Basic(x.names[name], size, size, size)
	}
	return x
}

// constants are the values of MPI's constants: numbers below a hundred thousand, and handles above.
func (x *script) constants() []uint64 {
	var words []uint64
	for i, c := range x.table.Constants() {
		v := uint64(1000 + i)
		if c.Object != mpi.NoObject {
			v = uint64(100000 + i)
		}
		x.names[c.Name] = v
		words = append(words, v)
	}
	return words
}

// addComm adds a communicator under a name, as the agent does when a process reports one.
func (x *script) addComm(name string, c *Comm, predefined bool) *Comm {
	c.Handle = x.value(name)
	x.AddComm(c, predefined)
	return c
}

// value is the number that a word stands for.
func (x *script) value(word string) uint64 {
	if v, err := strconv.ParseInt(word, 0, 64); err == nil {
		return uint64(v)
	}
	if _, known := x.names[word]; !known {
		x.names[word] = uint64(0x7f0000001000 + 16*len(x.names))
	}
	return x.names[word]
}

// run makes the calls of a text.
func (x *script) run(text string) {
	x.t.Helper()
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			x.call(line)
		}
	}
}

// call makes one call, and gives it as it stands after its end.
func (x *script) call(line string) *Call {
	x.t.Helper()
	x.line++
	c := &Call{Rank: x.Rank, Site: x.line, Stamp: x.stamp}
	x.stamp += 10
	if at, ok := strings.CutPrefix(line, "@"); ok {
		at, rest, _ := strings.Cut(at, " ")
		at, python := strings.CutPrefix(at, "py")
		line, c.Site = rest, x.value(at)
		if python {
			c.Site |= ring.PythonSite
		}
	}
	enter, exit, _ := strings.Cut(line, "->")
	words := tokens(enter)
	if c.Func = x.table.ByName(words[0]); c.Func == nil {
		x.t.Fatalf("%s: no such function", line)
	}
	c.Words = x.record(c.Func, words[1:], true)
	if at, ok := c.Func.Param(mpi.RComm); ok && c.Func.Params[at].Kind == mpi.KHandle {
		x.follow.Begin(c)
		c.Comm = x.Comm(c.Handle(at))
	}
	x.follow.Begin(c)
	x.follow.Enter(c)
	if c.Failed = strings.TrimSpace(exit) == "fails"; !c.Failed {
		c.Out = x.record(c.Func, tokens(exit), false)
	}
	c.Words = c.Words[:min(len(c.Words), len(waitstate.Op{}.Words))] // what the agent has kept of it
	x.follow.Exit(c)
	return c
}

// record makes the words of an Enter or Exit record: what has a fixed length comes first.
func (x *script) record(f *mpi.Func, values []string, enter bool) []uint64 {
	x.t.Helper()
	var fixed, varying []uint64
	for i := range f.Params {
		p := &f.Params[i]
		if p.Kind == mpi.KSkip || p.Kind.AtEntry() != enter {
			continue
		}
		if len(values) == 0 {
			if enter {
				x.t.Fatalf("%s: no value for %s", f.Name, p.Name)
			}
			break // a record that is cut off, or what nothing depends on
		}
		if words := x.words(p.Kind, values[0]); p.Kind.Varying() {
			varying = append(varying, words...)
		} else {
			fixed = append(fixed, words...)
		}
		values = values[1:]
	}
	if len(values) > 0 {
		x.t.Fatalf("%s: there are no parameters for %q", f.Name, values)
	}
	return append(fixed, varying...)
}

// words are those of one value.
func (x *script) words(kind mpi.Kind, value string) (out []uint64) {
	for _, w := range strings.Fields(strings.Trim(value, "[]{}")) {
		out = append(out, x.value(w))
	}
	switch {
	case kind == mpi.KOutType:
		name, size, _ := strings.Cut(value, "/")
		return []uint64{x.value(name), x.value(size)}
	case kind == mpi.KOutStatus:
		return make([]uint64, 3)
	case kind == mpi.KGroup:
		return slices.Insert(out, 1, uint64(len(out)-1))
	case kind == mpi.KRanges:
		return slices.Insert(out, 0, uint64(len(out)/3))
	case kind == mpi.KStr:
		return []uint64{0}
	case kind.Varying():
		return slices.Insert(out, 0, uint64(len(out)))
	}
	return out
}

// tokens are the words of a line, where what is in brackets is one.
func tokens(line string) (out []string) {
	open := false
	for _, w := range strings.Fields(line) {
		if open {
			out[len(out)-1] += " " + w
		} else {
			out = append(out, w)
		}
		switch {
		case strings.ContainsAny(w, "]}"):
			open = false
		case strings.ContainsAny(w, "[{"):
			open = true
		}
	}
	return out
}

// name is the name of a handle.
func (x *script) name(handle uint64) string {
	for name, h := range x.names {
		if h == handle {
			return name
		}
	}
	return fmt.Sprint(handle)
}

// left says which objects there are that the program has made or was given, in the order of their kinds and names.
func (x *script) left() string {
	var all []string
	for kind := range mpi.NumObjects {
		var some []string
		for o := range x.All(kind) {
			if !o.Predefined || o.Refs > 0 {
				some = append(some, kind.String()+" "+x.name(o.Handle)+details(o))
			}
		}
		slices.Sort(some)
		all = append(all, some...)
	}
	return strings.Join(all, ", ")
}

// details are what is known of an object.
func details(o *Object) (s string) {
	if o.Kind == mpi.OType && !o.Predefined {
		s = map[bool]string{true: " committed", false: " uncommitted"}[o.Committed]
		if o.CommitUnknown {
			s = " perhaps committed"
		}
		if o.Type == nil {
			s += " unknown"
		}
	}
	for _, x := range []struct {
		is   bool
		word string
	}{{o.Refs != 1, fmt.Sprintf(" %d times", o.Refs)}, {o.Sites, " at several sites"}, {o.Attributed, " with attributes"},
		{o.Kept, " kept"}} {
		if x.is {
			s += x.word
		}
	}
	return s
}

// is compares what a question gives.
func is[T comparable](t *testing.T, question string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", question, got, want)
	}
}
