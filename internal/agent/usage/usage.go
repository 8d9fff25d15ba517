package usage

import (
	"strings"

	"unknot/internal/agent/calls"
	"unknot/internal/check"
	"unknot/internal/check/written"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/rendezvous"
	"unknot/internal/observe/ring"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Began shows the checks a call before it is made, and before anything of what it does has been taken in.
func (t *Thread) Began() {
	if t.Rank.hears {
		t.learned()
	}
	c := &t.Call
	c.Rank = t.Rank.Use
	c.Nulls, c.Message, c.Beneath, c.Arrays = c.Nulls[:0], "", t.beneath, t.arrays
	for _, n := range t.nulls {
		if n.Func == c.Func.ID {
			c.Nulls = append(c.Nulls, n.Param)
		}
	}
	c.Beside = c.Beside[:0]
	if t.checks.Watch == nil {
		return
	}
	if len(t.Rank.threads) > 1 {
		t.beside()
	}
	t.leave()
	c.Rank.Order.Begin(c)
	t.checks.Watch.Enter(c)
	t.checks.Tell()
}

// beside notes the other threads of the rank that are certainly inside of a call while this one begins its own. Records
// of a rank's threads come in the order of their stamps, so a call whose Exit record has not come returned after this
// one began. Of one that writes none, the header of its ring says when it has returned: if it has not until now, it has
// not before.
func (t *Thread) beside() {
	c := &t.Call
	for _, o := range t.Rank.threads {
		if o == t || o.Ended || !o.Inside || int32(o.ring.Returned()-o.Stamp) >= 0 {
			continue
		}
		c.Beside = append(c.Beside, o.asBeside())
	}
}

func (t *Thread) asBeside() check.Thread {
	return check.Thread{Index: t.WS.Index, Stamp: t.Stamp, Func: t.Call.Func, Site: t.Call.Site, Comm: t.Call.Comm,
		Requests: t.Call.Requests}
}

// CallEnded shows them what a call gave back, once the rank's objects follow that. stamp is that of its Exit record.
func (t *Thread) CallEnded(stamp uint32) {
	c := &t.Call
	if t.checks.Watch == nil {
		return
	}
	c.Rank.Order.End(c.Thread, stamp)
	c.Beside = c.Beside[:0]
	if len(t.Rank.threads) > 1 && int32(t.ring.Returned()-t.Stamp) < 0 {
		for _, o := range t.Rank.threads { // those that have begun a call since
			if o != t && o.Call.Func != nil && int32(o.Stamp-t.Stamp) > 0 && int32(stamp-o.Stamp) > 0 {
				c.Beside = append(c.Beside, o.asBeside())
			}
		}
	}
	if c.Failed && t.Failure != nil && t.Failure.Func == c.Func.ID {
		c.Message = firstLine(t.Failure.Text)
	}
	t.checks.Watch.Exit(c)
	t.checks.Tell()
}

// Know prepares what the checks know of a new rank.
func (c *Checks) Know(of *calls.Rank) *Rank {
	p, r := c.places, &Rank{Rank: of, Use: check.NewRank(of.Objects)}
	c.ranks[of.World] = r
	u := r.Use
	u.Lowest = func() uint64 { return r.Maps.Lowest() }
	u.Where = func(at uint64) check.Ground { return c.where(r, at) }
	u.Declared = func(call *check.Call, param int) (check.Written, bool) { return p.Declared(&r.Process, call, param) }
	u.Frame = func(site uint64) finding.Frame { return p.Frame(&r.Process, site) }
	u.Trail = func(site uint64) []finding.Frame { return p.Trail(&r.Process, site) }
	u.Passed = func(from *finding.Frame, procedure string) []string {
		return written.Call(from.File, from.Line, procedure[strings.LastIndexByte(procedure, ':')+1:])
	}
	u.Innermost = func(site uint64) finding.Frame {
		if frames := p.Frames(&r.Process, site); len(frames) > 0 {
			return frames[0]
		}
		return finding.Frame{}
	}
	u.OwnOrder = func() (finding.Frame, bool) {
		at, some := c.symbols.Waits(r.Maps)
		if !some || at == 0 {
			return finding.Frame{}, some
		}
		return p.Frame(&r.Process, at+1), true // as of a call that returns behind it
	}
	u.Argument = func(f *mpi.Func, site uint64, i int) string {
		frames := p.Frames(&r.Process, site) // the argument stands where the call does, in a library too
		if len(frames) == 0 {
			return ""
		}
		return argument(frames[0].File, frames[0].Line, f, i)
	}
	u.Now = func() *waitstate.Moment {
		for _, t := range r.threads {
			if t.WS.Index == 0 {
				return c.follower.Node.Now(t.WS)
			}
		}
		return nil
	}
	return r
}

// firstLine is the first line of what MPI says of an error: MPICH adds the calls inside of the library, which do not
// help.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(strings.TrimSpace(line), ", error stack:")
}

// misusedOften is a wrong use that was reported, and how often the rank has made it by now: that is reported at the
// end.
type misusedOften struct {
	again  message.Misuse
	report *check.Report
}

// tellReports makes findings of new reports and sends them to the root.
func (c *Checks) tellReports() {
	for _, r := range c.Watch.Reports {
		rank := c.ranks[op.Rank(r.Call.Rank.World)]
		m := message.Misuse{Finding: c.misuse(rank, r), Param: r.Param, Pair: r.Pair}
		for _, t := range rank.threads {
			if t.WS.Index == r.Call.Thread {
				m.Scope = t.ScopeOf(&r.Call.Call)
			}
		}
		c.misused = append(c.misused, misusedOften{m, r})
		c.net.SendUp(m)
	}
	c.Watch.Reports = c.Watch.Reports[:0]
}

// argument is how the program writes an argument of a call, in Python the array of a buffer.
func argument(file string, line int, f *mpi.Func, i int) string {
	if strings.HasSuffix(file, ".py") {
		return written.Array(file, line, f, i)
	}
	return written.Argument(file, line, f.Name, i)
}

// misuse puts a report into a finding.
func (c *Checks) misuse(r *Rank, x *check.Report) finding.Finding {
	p := c.places.Place(&r.Process, x.Call.Func, x.Call.Site, x.Call.Words, x.Call.Stamp)
	p.Thread, p.State = int(x.Call.Thread), "called"
	f := explain.Misuse(x, p, func(n int) string { return argument(p.File, p.Line, x.Call.Func, n) })
	for i := range x.Related {
		rel := &x.Related[i]
		at := c.places.Frame(&r.Process, rel.Site).Where()
		if at != "" {
			// known findings of libraries go by it
			f.Related = append(f.Related, symbol.Written(c.places.Frames(&r.Process, rel.Site)))
		}
		f.Notes = append(f.Notes, explain.Related(rel, at))
	}
	f.Notes = append(f.Notes, c.places.Elsewhere(x.Elsewhere, c.whereIs)...)
	f.Meeting = c.meeting(r, x)
	return f
}

// meeting is what another run needs to have the two ranks, or threads, of a report meet, nil if they cannot be made to,
// or if the other rank is another agent's.
func (c *Checks) meeting(r *Rank, x *check.Report) *finding.Meeting {
	switch {
	case x.Apart && len(x.Related) > 0:
		return meetingAt(finding.Meeting{Owner: int(r.World), Ranks: []int{int(r.World), int(r.World)}},
			callAt{r.Maps, x.Related[0].Site}, callAt{r.Maps, x.Call.Site})
	case x.Meets == nil || len(x.Elsewhere) == 0:
		return nil
	}
	e := &x.Elsewhere[0]
	other := c.ranks[op.Rank(e.Rank)]
	if other == nil {
		return nil
	}
	return meetingAt(finding.Meeting{Owner: x.Meets.Owner, Start: x.Meets.Start, End: x.Meets.End,
		Ranks: []int{int(r.World), e.Rank}}, callAt{r.Maps, x.Call.Site}, callAt{other.Maps, e.Site})
}

// callAt is the place of a call in a process.
type callAt struct {
	maps *symbol.Maps
	site uint64
}

// meetingAt completes a meeting by the places of its two calls; nil if one is not known, as in Python.
func meetingAt(m finding.Meeting, calls ...callAt) *finding.Meeting {
	for i, at := range calls {
		if at.maps == nil {
			return nil
		}
		module, offset := at.maps.Locate(ring.Address(at.site))
		if module == "" {
			return nil
		}
		m.Sites[i] = rendezvous.Site(module, offset)
	}
	return &m
}
