package buffers

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"unknot/internal/check"
	"unknot/internal/check/typed"
	"unknot/internal/check/used"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// The count of a receive is an upper bound: the message must not be longer (MPI-4.0, 3.2.4), and what it does not fill
// is not written. So a receive whose count extends beyond the end of its memory is judged when it is known how much it
// got: it is an error if that went on behind the end too. If no receive of a call site got that much, a warning is left
// for the end.

// Reach is the buffer of one such call.
type Reach struct {
	call    *check.Call // the one that has the buffer among its arguments
	param   int
	block   used.Block
	ground  check.Ground
	to      int64  // where the count ends
	differs string // what its variable and the datatype differ in, with what to do, if they do
	judged  bool
	all     *reaching
}

// reaching is what all such calls of a rank have got at one call site.
type reaching struct {
	first *Reach
	n     int   // calls
	most  int64 // the longest message, in bytes; -1 if none is known
	wrong bool  // one has gone on behind the end
}

// fills says whether a call may write less to its buffer than its count says: it receives a message, or reads from a
// file (MPI-4.0, 14.4.1).
func fills(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Recv, mpi.Irecv, mpi.RecvInit, mpi.Mrecv, mpi.Imrecv, mpi.Sendrecv, mpi.Isendrecv:
		return true
	case mpi.FileReq, mpi.FileIcoll, mpi.FileColl, mpi.Opaque:
		return strings.Contains(f.Name, "read")
	}
	return false
}

// reaches takes in that the count of a call extends beyond the end of its buffer, to an address.
func (x *operations) reaches(c *check.Call, a *used.Area, u *mpi.Buffer, b used.Block, g check.Ground, to int64) {
	m := x.memory.Of(c.Rank)
	key := place{site: c.Site, param: a.Param}
	all := m.reaching[key]
	if all == nil {
		all = &reaching{most: -1}
		if m.reaching == nil {
			m.reaching = make(map[place]*reaching)
		}
		m.reaching[key] = all
	}
	all.n++
	reach := &Reach{call: c.Watch().Earlier(c.Rank, c.Thread, c.Func, c.Site, slices.Clone(c.Words)), param: a.Param,
		block: b, ground: g, to: to, all: all}
	if m := typed.Of(c, &typed.Buffer{Use: u, Type: b.Type, Count: b.Count, Certain: true, Ground: g}); m != nil {
		reach.differs = m.Sentence().Text + ": " + m.Hint()
	}
	c.Filling = reach
	if all.first == nil {
		all.first = reach
	}
}

// Received takes in that a call has met a message of so many bytes, of which it has no more to tell.
func (x *Reach) Received(bytes int64) {
	x.judged = true
	x.got(bytes)
}

// watchFilled judges the calls that say what they got when they return.
func watchFilled(h *check.Hooks) {
	h.Exit(func(f *mpi.Func) func(*check.Call) {
		status := f.Named("status")
		if makes, _ := requestKind(f); makes || status < 0 || !fills(f) {
			return nil
		}
		return func(c *check.Call) {
			x, reaches := c.Filling.(*Reach)
			if !reaches || x.judged || c.Failed {
				return
			}
			if got := c.Gave(status); len(got) >= 3 {
				x.got(int64(got[2]))
			}
		}
	})
}

// completed takes in that a call has found the operation that uses some memory complete, and how many bytes it got; a
// negative number says that it got none, or that nobody knows.
func completed(q *objects.Request, bytes int64, by objects.Made) {
	h := heldBy(q)
	if h == nil {
		return
	}
	h.sayTouched(by)
	if h.reach != nil {
		h.reach.got(bytes)
	}
}

// got judges a call by the bytes that it got. Where an element ends that has come in part is known of elements without
// gaps.
func (x *Reach) got(bytes int64) {
	if bytes < 0 {
		return
	}
	t, b := x.block.Type.Type, x.block
	bytes = min(bytes, t.Size()*b.Count) // a longer message is cut off
	x.all.most = max(x.all.most, bytes)
	b.Count = bytes / max(t.Size(), 1)
	to, out := leaves(b, x.ground)
	if t.Size() == t.Extent() && t.Size() == t.TrueUB()-t.TrueLB() {
		to = b.At + t.TrueLB() + bytes
		out = to > int64(x.ground.To)
	}
	if !out {
		return
	}
	x.all.wrong = true
	x.call.Say(bufferOutside, x.param, func() check.Words {
		w := x.words(finding.Wordf("the %s of %s extends %s beyond its end.", x.what(), check.Bytes(bytes),
			check.Bytes(to-int64(x.ground.To))))
		if w.Hint = overwrites; x.differs != "" {
			w.Hint = x.differs
		}
		return w
	})
}

// what is the data that the call gets.
func (x *Reach) what() string {
	if strings.HasPrefix(x.call.Func.Name, "MPI_File_") {
		return "data"
	}
	return "message"
}

// words say what the buffer lies in; then is the rest of the sentence.
func (x *Reach) words(then finding.Wording) check.Words {
	f := x.call.Func
	return check.Words{
		Sentence: finding.Wordf("Rank %d calls %s with {%s} in %s%s; %s", x.call.Rank.World, f.Name,
			f.Params[x.param].Name, x.ground, fromByte(x.block, x.ground), then),
		Notes: []finding.Note{finding.Remarkf("the call allows %s, spanning %s",
			datatype.Content{Type: x.block.Type.Type, Count: x.block.Count}, check.Bytes(used.Span(x.block)))},
	}
}

// endRank warns of what has gone well so far, as a rank makes no more calls.
func (x *operations) endRank(c *check.Call) {
	m := x.memory.Of(c.Rank)
	for len(m.touched) > 0 {
		m.touched[0].sayTouched(objects.Made{})
	}
	all := m.reaching
	for _, key := range slices.SortedFunc(maps.Keys(all), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.site, b.site), cmp.Compare(a.param, b.param))
	}) {
		if !all[key].wrong {
			all[key].warn()
		}
	}
}

// warn reports calls whose counts go on behind the end, though nothing that they got does.
func (all *reaching) warn() {
	x := all.first
	then := finding.Wordf("its count extends %s beyond the end", check.Bytes(x.to-int64(x.ground.To)))
	switch {
	case all.most < 0:
		then = finding.Wordf("%s.", then)
	case all.n > 1:
		then = finding.Wordf("%s, though the data received, at most %s, does not.", then, check.Bytes(all.most))
	default:
		then = finding.Wordf("%s, though the %s of %s does not.", then, x.what(), check.Bytes(all.most))
	}
	for range all.n {
		x.call.Say(bufferOutside, x.param, func() check.Words {
			w := x.words(then)
			w.Severity, w.Hint = finding.Warning,
				"more data would overwrite other memory: pass the count that the buffer has room for"
			return w
		})
	}
}
