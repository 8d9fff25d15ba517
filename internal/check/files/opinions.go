package files

import (
	"fmt"

	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// opinion is what one rank gave in a collective call on a file where all must give the same.
type opinion struct {
	key    opinionKey
	from   op.Rank
	to     op.Rank // the first rank of the file
	call   check.Past
	values [maxValues]value
	n      int
}

const maxValues = 2

// value is an argument, as a number or a text.
type value struct {
	param int
	name  string
	v     int64
	text  string
}

func (v value) String() string { return v.Worded().Text }

// Worded is the value in words. Ranks that each have a different text make the same mistake.
func (v value) Worded() finding.Wording {
	if v.text != "" {
		return finding.Detail(fmt.Sprintf("%q", v.text))
	}
	return finding.Wordf("%d", v.v)
}

// opinionKey names a collective call on a file.
type opinionKey struct {
	file uint64
	nth  uint64
}

// opinions are those that were given to the first rank of a file.
type opinions struct {
	own   map[opinionKey]*opinion
	early map[opinionKey][]*opinion
	order []opinionKey
}

// maxOpinions bounds the calls whose arguments are remembered.
const maxOpinions = 1 << 10

func newOpinions() opinions {
	return opinions{own: make(map[opinionKey]*opinion), early: make(map[opinionKey][]*opinion)}
}

// watchOpinions compares what ranks give in collective calls on files.
func (m *files) watchOpinions(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if f.Class == mpi.FileOpen {
			amode := f.Named("amode")
			return func(c *check.Call) {
				id, members := m.identity(c)
				if v, ok := c.Int(amode); ok && id != 0 {
					m.give(c, opinionKey{id, 0}, members, value{param: amode, name: "amode", v: v})
				}
			}
		}
		switch f.Name {
		case "MPI_File_set_size", "MPI_File_preallocate":
			return m.agree(f, "size")
		case "MPI_File_seek_shared":
			return m.agree(f, "offset", "whence")
		case "MPI_File_set_atomicity":
			return m.agree(f, "flag")
		case "MPI_File_set_view":
			return m.agree(f, "etype", "datarep")
		}
		if f.Class == mpi.FileColl || f.Class == mpi.FileIcoll {
			return m.on(f, func(x *file, _ *check.Call) { x.calls++ })
		}
		return nil
	})
}

// agree is the handler of a call whose arguments of these names must be the same at all ranks; of an etype it is the
// size.
func (m *files) agree(f *mpi.Func, names ...string) func(*check.Call) {
	places := make([]int, len(names))
	for i, name := range names {
		places[i] = f.Named(name)
	}
	return m.on(f, func(x *file, c *check.Call) {
		x.calls++
		if x.id == 0 {
			return
		}
		var values []value
		for i, at := range places {
			v := value{param: at, name: names[i]}
			n, ok := c.Int(at)
			switch names[i] {
			case "etype":
				o := c.Rank.Object(mpi.OType, uint64(n))
				if !ok || o == nil || o.Size < 0 {
					return
				}
				v.name, v.v = "etype", o.Size
			case "datarep":
				v.text = c.Text(at)
			case "flag":
				v.v = min(n&0xffffffff, 1)
			default:
				v.v = n
			}
			values = append(values, v)
		}
		m.give(c, opinionKey{x.id, x.calls}, x.members, values...)
	})
}

func (m *files) give(c *check.Call, key opinionKey, members []op.Rank, values ...value) {
	if len(members) < 2 {
		return
	}
	o := &opinion{key: key, from: op.Rank(c.Rank.World), to: members[0], call: check.Remember(c), n: len(values)}
	copy(o.values[:], values)
	w := c.Watch()
	if m.ranks[o.to] != nil {
		m.take(w, o)
		return
	}
	w.Notes = append(w.Notes, check.Note{To: o.to, Body: o})
}

// take compares an opinion with that of the first rank.
func (m *files) take(to *check.Watch, o *opinion) {
	s := &m.views
	first := s.own[o.key]
	if o.from == o.to {
		s.own[o.key] = o
		s.order = append(s.order, o.key)
		if len(s.order) > maxOpinions {
			delete(s.own, s.order[0])
			s.order = s.order[1:]
		}
		for _, e := range s.early[o.key] {
			m.compare(to, o, e)
		}
		delete(s.early, o.key)
		return
	}
	if first == nil {
		if len(s.early) < maxOpinions {
			s.early[o.key] = append(s.early[o.key], o)
		}
		return
	}
	m.compare(to, first, o)
}

func (m *files) compare(to *check.Watch, first, o *opinion) {
	if first.call.Fn != o.call.Fn {
		return // that is another error
	}
	for i := range min(first.n, o.n) {
		a, b := first.values[i], o.values[i]
		if a.v == b.v && a.text == b.text {
			continue
		}
		to.Tell(o.from, fileMismatch, &o.call, b.param, func() check.Words {
			what := ""
			if b.name == "etype" {
				what = " of size"
			}
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with {%s}%s %s, rank %d with %s; it must be the same on "+
					"all ranks of the file.", o.from, o.call.Fn.Name, b.name, what, b, o.to, a),
				Elsewhere: []check.Elsewhere{
					{Related: check.Related{Text: "the other call was made", Func: first.call.Fn,
						Site: first.call.Site}, Rank: int(o.to)}}}
		})
		return
	}
}
