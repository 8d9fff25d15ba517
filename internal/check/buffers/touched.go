package buffers

import (
	"fmt"
	"slices"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
)

// touch is an access of the program's own to what an operation uses.
type touch struct {
	*check.Touch
	rank  *check.Rank
	param int
	code  finding.Code
}

// touch takes in an access of the program's own: whose memory it is, and whether the access is wrong. It is reported
// once it is known which call completes the operation, or when the rank makes no more calls.
func (x *operations) touch(r *check.Rank, t *check.Touch) {
	if t.Inside != nil {
		x.touchInside(t)
		return
	}
	m := x.memory.Of(r)
	var found [3 * near]*node
	from, to := t.At, t.At+t.Bytes
	n := m.writes.meeting(from, to, found[:near])
	if t.Store {
		n += m.reads.meeting(from, to, found[n:n+near])
	}
	n += m.partitioned.meeting(from, to, found[n:n+near])
	for _, a := range found[:n] {
		if !a.Write && !t.Store || !m.covers(&a.Area, from, to) {
			continue
		}
		h, code := a.held, BufferAccessed
		switch {
		case a.Write:
		case len(h.touches) > 0 && h.touches[len(h.touches)-1].Touch == t:
			continue // the operation both reads and writes it
		default:
			code = SentModified
			x.contested.Of(r).Add(h.by) // its data may be found changed, too
			x.contested.Of(r).Add(h.made)
		}
		if len(h.touches) == 0 {
			m.touched = append(m.touched, h)
		}
		h.touches = append(h.touches, touch{t, r, a.Param, code})
	}
}

// touchInside reports an access to what another thread's blocking call uses, which has it until it returns.
func (x *operations) touchInside(t *check.Touch) {
	c := t.Inside
	m, h := x.memory.Of(c.Rank), &x.scratch
	h.read(c, used.Of(c.Func))
	for i := range h.areas[:h.n] {
		a := &h.areas[i].Area
		if !a.Write && !t.Store || !m.covers(a, t.At, t.At+t.Bytes) {
			continue
		}
		code := BufferAccessed
		if !a.Write {
			code = SentModified
		}
		c.SayWith(code, a.Param, t.Site, func() check.Words {
			does, done := t.Does()
			who := fmt.Sprintf("its thread %d", t.Thread)
			if t.Outside {
				who = "another thread"
			}
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s in thread %d with {%s}, and %s %s that memory before the call "+
					"returns.", c.Rank.World, c.Func.Name, c.Thread, c.Func.Params[a.Param].Name, who, does),
				Hint: "let that thread wait until the call has returned, by a lock or a barrier of the threads, or use " +
					"other memory until then",
				Related: []check.Related{{Text: "it is " + done, Site: t.Site}},
			}
		})
		return
	}
}

// sayTouched tells of the accesses to what an operation uses, and which call has completed it, if any has.
func (h *Held) sayTouched(by objects.Made) {
	if len(h.touches) == 0 {
		return
	}
	list := h.touches
	h.touches = nil
	m := h.memory
	m.touched = slices.DeleteFunc(m.touched, func(o *Held) bool { return o == h })
	for i := range list {
		list[i].say(h, by)
	}
}

func (t *touch) say(h *Held, by objects.Made) {
	start := h.by
	if h.persistent {
		start = h.made
	}
	c := t.Watch.Earlier(t.rank, 0, start.Func, start.Site, h.words[:h.nwords])
	c.SayWith(t.code, t.param, t.Site, func() check.Words {
		does, done := t.Does()
		w := check.Words{
			Sentence: finding.Wordf("Rank %d calls %s with {%s} and %s that memory before the operation is completed.",
				t.rank.World, start.Func.Name, start.Func.Params[t.param].Name, does),
			Hint:    "complete the operation before its buffer is used, or use other memory until then",
			Related: []check.Related{{Text: "it is " + done, Site: t.Site}},
		}
		if h.partitions > 0 {
			w.Sentence, w.Hint = t.partly(h, does)
		} else if t.code == SentModified {
			w.Hint = "wait for the operation before writing to its buffer, or alternate between two buffers"
		}
		if t.Outside {
			w.Notes = finding.Remarks("by a thread that has not called MPI")
		}
		if h.persistent {
			w.Related = append([]check.Related{{Text: "the operation was started", Func: h.by.Func, Site: h.by.Site}},
				w.Related...)
		}
		if by.Func != nil {
			w.Related = append(w.Related, check.Related{Text: "it was completed", Func: by.Func, Site: by.Site})
		}
		return w
	})
}
