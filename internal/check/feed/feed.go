// Package feed gives made-up calls to checks, for their tests.
package feed

import (
	"reflect"
	"strings"
	"testing"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/wire"
)

// Feeder gives calls of one rank to a Watch, as an agent would. The handles of these calls are made up.
type Feeder struct {
	T      *testing.T
	Table  *mpi.T
	Watch  *check.Watch
	Follow *objects.Follower
	Rank   *check.Rank
	Comm   *objects.Comm
	site   uint64
}

// New makes one with all codes of some checkers but those of families.
func New(t *testing.T, checkers []check.Checker, without ...check.Family) *Feeder {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	all := check.Selection{{Name: "all", On: true}}
	for _, family := range without {
		all = append(all, check.Choice{Name: string(family)})
	}
	follow := objects.Follow(table)
	f := &Feeder{T: t, Table: table, Follow: follow, Watch: check.New(table, follow, all.Codes(checkers), checkers),
		Rank: check.NewRank(objects.NewRank(0))}
	f.Comm = &objects.Comm{Handle: 1, Members: op.FirstRanks(4), Describe: func() finding.Wording {
		return finding.Wordf("MPI_COMM_WORLD")
	}}
	f.Rank.Limits = objects.Limits{TagUB: 1 << 20, Values: &objects.Values{AnySource: -1, AnyTag: -1, ProcNull: -2,
		Root: -4, Undefined: -32766, InPlace: 1}}
	f.Rank.Predefine(mpi.OType, 9, "MPI_INT")
	f.Rank.Constants = make(map[string]int64)
	for i, c := range table.Constants() {
		f.Rank.Constants[c.Name] = int64(i + 1)
		if strings.HasPrefix(c.Name, "MPI_MODE_") {
			f.Rank.Constants[c.Name] = 1 << (i % 32)
		}
	}
	return f
}

// Text are the words of a string.
func Text(s string) []int64 {
	v := make([]int64, 1+(len(s)+7)/8)
	v[0] = int64(len(s))
	for i := range len(s) {
		v[1+i/8] |= int64(s[i]) << (8 * (i % 8))
	}
	return v
}

// Call makes a call: values are those of the parameters that its Enter record has, numbers or []int64 for arrays and
// strings, in the order of the standard; gives are the words of its Exit record.
func (f *Feeder) Call(name string, values []any, gives ...int64) string {
	f.T.Helper()
	fn := f.Table.ByName(name)
	var fixed, arrays []uint64
	k := 0
	for i := range fn.Params {
		p := &fn.Params[i]
		if !p.Kind.AtEntry() {
			continue
		}
		if k == len(values) {
			f.T.Fatalf("%s: no value for %s", name, p.Name)
		}
		switch v := values[k].(type) {
		case int:
			fixed = append(fixed, uint64(int64(v)))
		case []int64:
			n := len(v)
			switch p.Kind {
			case mpi.KRanges:
				n /= 3
			case mpi.KStr:
				n = int(v[0])
				v = v[1:]
			}
			arrays = append(arrays, uint64(n))
			for _, x := range v {
				arrays = append(arrays, uint64(x))
			}
		}
		k++
	}
	f.site++
	c := f.Made(name, f.site, append(fixed, arrays...)...)
	f.Enter(c)
	if gives != nil {
		for _, v := range gives {
			c.Out = append(c.Out, uint64(v))
		}
		f.Exit(c)
	}
	var said []string
	for _, r := range f.Watch.Reports {
		said = append(said, string(r.Code)+": "+r.Sentence.Text)
	}
	f.Watch.Reports = nil
	return strings.Join(said, "\n")
}

// Made is a call with the words of its Enter record.
func (f *Feeder) Made(name string, site uint64, words ...uint64) *check.Call {
	c := &check.Call{Call: objects.Call{Func: f.Table.ByName(name), Site: site, Rank: f.Rank.Rank, Words: words},
		Rank: f.Rank}
	if c.Func.EnterAt[mpi.RComm] >= 0 {
		c.Comm = f.Comm
	}
	return c
}

// Enter shows a call to the checks, and to what follows the objects, in the order in which an agent does.
func (f *Feeder) Enter(c *check.Call) {
	f.Follow.Begin(&c.Call)
	f.Watch.Enter(c)
	f.Follow.Enter(&c.Call)
}

// Exit shows them what a call gave.
func (f *Feeder) Exit(c *check.Call) {
	f.Follow.Exit(&c.Call)
	f.Watch.Exit(c)
}

// Says fails unless a call is reported with a text, or not at all if that is empty.
func (f *Feeder) Says(want, got string) {
	f.T.Helper()
	if want == "" && got != "" || !strings.Contains(got, want) {
		f.T.Errorf("said %q, want %q", got, want)
	}
}

// Ints are the elements of an array.
func Ints(v ...int64) []int64 { return v }

// Travels holds a note to being the same after a link as before, and half of one to being none.
func Travels(t *testing.T, table *mpi.T, n check.Note, kinds func() []check.Body) {
	t.Helper()
	w, r := wire.NewWriter(), wire.NewReader(table)
	w.Begin(nil)
	n.Put(w)
	data := w.End()
	var got check.Note
	r.Begin(data)
	got.Get(r, kinds())
	if err := r.End(); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, n) {
		t.Errorf("got  %+v\nwant %+v", got, n)
	}
	for short := range data {
		r := wire.NewReader(table)
		r.Begin(data[:short])
		got.Get(r, kinds())
		if r.End() == nil {
			t.Errorf("%d of %d bytes are a note", short, len(data))
		}
	}
}
