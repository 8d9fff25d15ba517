package usage

import (
	"strings"
	"testing"

	"unknot/internal/mpi"
	"unknot/internal/objects"
	"unknot/internal/op"
)

// feeder gives calls of one rank to a Watch, as an agent would. All checks are on but those of objects: the handles of these
// calls are made up.
type feeder struct {
	t      *testing.T
	table  *mpi.T
	watch  *Watch
	follow *objects.Follower
	rank   *Rank
	comm   *objects.Comm
	site   uint64
}

func feed(t *testing.T) *feeder {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	var all Selection
	if err := Choose(&all, "all", true); err != nil {
		t.Fatal(err)
	}
	if err := Choose(&all, "handles,leaks,requests", false); err != nil {
		t.Fatal(err)
	}
	follow := objects.Follow(table)
	f := &feeder{t: t, table: table, follow: follow, watch: NewWatch(table, follow, all), rank: NewRank(objects.NewRank(0))}
	f.comm = &objects.Comm{Handle: 1, Members: ranks(4), Describe: func() string { return "MPI_COMM_WORLD" }}
	f.rank.Limits = objects.Limits{AnySource: -1, AnyTag: -1, ProcNull: -2, Root: -4, Undefined: -32766, TagUB: 1 << 20, InPlace: 1}
	f.rank.Predefine(mpi.OType, 9, "MPI_INT")
	f.rank.Constants = make(map[string]int64)
	for i, c := range table.Constants() {
		f.rank.Constants[c.Name] = int64(i + 1)
		if strings.HasPrefix(c.Name, "MPI_MODE_") {
			f.rank.Constants[c.Name] = 1 << (i % 32)
		}
	}
	return f
}

// text are the words of a string.
func text(s string) []int64 {
	v := make([]int64, 1+(len(s)+7)/8)
	v[0] = int64(len(s))
	for i := range len(s) {
		v[1+i/8] |= int64(s[i]) << (8 * (i % 8))
	}
	return v
}

// call makes a call: values are those of the parameters that its Enter record has, numbers or []int64 for arrays and strings,
// in the order of the standard; gives are the words of its Exit record.
func (f *feeder) call(name string, values []any, gives ...int64) string {
	f.t.Helper()
	fn := f.table.ByName(name)
	var fixed, arrays []uint64
	k := 0
	for i := range fn.Params {
		p := &fn.Params[i]
		if !p.Kind.AtEntry() {
			continue
		}
		if k == len(values) {
			f.t.Fatalf("%s: no value for %s", name, p.Name)
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
	c := f.made(name, f.site, append(fixed, arrays...)...)
	f.enter(c)
	if gives != nil {
		for _, v := range gives {
			c.Out = append(c.Out, uint64(v))
		}
		f.exit(c)
	}
	var said []string
	for _, r := range f.watch.Reports {
		said = append(said, string(r.Code)+": "+r.Sentence)
	}
	f.watch.Reports = nil
	return strings.Join(said, "\n")
}

// made is a call with the words of its Enter record.
func (f *feeder) made(name string, site uint64, words ...uint64) *Call {
	c := &Call{Call: objects.Call{Func: f.table.ByName(name), Site: site, Rank: f.rank.Rank, Words: words}, Rank: f.rank}
	if c.Func.EnterAt[mpi.RComm] >= 0 {
		c.Comm = f.comm
	}
	return c
}

// enter and exit show a call to the checks, and to what follows the objects, in the order in which an agent does.
func (f *feeder) enter(c *Call) {
	f.follow.Begin(&c.Call)
	f.watch.Enter(c)
	f.follow.Enter(&c.Call)
}

func (f *feeder) exit(c *Call) {
	f.follow.Exit(&c.Call)
	f.watch.Exit(c)
}

// says fails unless a call is reported with a text, or not at all if that is empty.
func (f *feeder) says(want, got string) {
	f.t.Helper()
	if want == "" && got != "" || !strings.Contains(got, want) {
		f.t.Errorf("said %q, want %q", got, want)
	}
}

func ints(v ...int64) []int64 { return v }

// ranks are the first n of the world.
func ranks(n int) []op.Rank {
	out := make([]op.Rank, n)
	for i := range out {
		out[i] = op.Rank(i)
	}
	return out
}
