package agent

import (
	"regexp"
	"strings"

	"unknot/internal/check"
	"unknot/internal/check/written"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/meet"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// beginCall shows the usage checks a call before the agent takes it in.
func (a *follower) beginCall(t *thread, f *mpi.Func, site uint64, words []uint64) {
	if t.rank.hears {
		a.learned(t)
	}
	c := &t.use
	c.Func, c.Site, c.Thread, c.Stamp, c.Words, c.Out, c.Failed = f, site, t.ws.Index, t.stamp, words, nil, false
	c.Rank, c.Call.Rank = t.rank.use, t.rank.Objects
	c.Comm, c.Nulls, c.Message, c.Beneath, c.Arrays = nil, c.Nulls[:0], "", t.beneath, t.arrays
	for _, n := range t.nulls {
		if n.Func == f.ID {
			c.Nulls = append(c.Nulls, n.Param)
		}
	}
	if at := f.EnterAt[mpi.RComm]; at >= 0 && int(at) < len(words) {
		c.Comm = t.rank.Objects.Comm(words[at])
	}
	c.Requests, c.Handles, c.Beside = c.Requests[:0], c.Handles[:0], c.Beside[:0]
	t.inside = true
	if f.Class.Completes() {
		c.Handles, c.Requests = append(c.Handles, t.handles...), append(c.Requests, t.reqs...)
	} else if f.Class == mpi.Startall || f.EnterAt[mpi.RRequest] >= 0 {
		t.useRequests(f, words)
	}
	a.follow.Begin(&c.Call)
	if a.checks == nil {
		return
	}
	if len(t.rank.threads) > 1 {
		t.beside()
	}
	a.leave(t)
	a.checks.Enter(c)
	a.tellChecks()
}

// useRequests looks up the requests that a call names which completes none.
func (t *thread) useRequests(f *mpi.Func, words []uint64) {
	c := &t.use
	if f.Class == mpi.Startall {
		e := call{Call: decode.Call{Func: f, Words: words}, t: t, r: t.rank}
		c.Handles = append(c.Handles, e.List(mpi.RRequests)...)
	} else if at := int(f.EnterAt[mpi.RRequest]); at < len(words) {
		c.Handles = append(c.Handles, words[at])
	}
	for _, h := range c.Handles {
		c.Requests = append(c.Requests, t.rank.Objects.Request(h))
	}
}

// beside notes the other threads of the rank that are certainly inside of a call while this one begins its own. Records
// of a rank's threads come in the order of their stamps, so a call whose Exit record has not come returned after this
// one began. Of one that writes none, the header of its ring says when it has returned: if it has not until now, it has
// not before.
func (t *thread) beside() {
	c := &t.use
	for _, o := range t.rank.threads {
		if o == t || o.ended || !o.inside || int32(o.ring.Returned()-o.stamp) >= 0 {
			continue
		}
		c.Beside = append(c.Beside, o.asBeside())
	}
}

func (t *thread) asBeside() check.Thread {
	return check.Thread{Index: t.ws.Index, Stamp: t.stamp, Func: t.use.Func, Site: t.use.Site, Comm: t.use.Comm,
		Requests: t.use.Requests}
}

// endCall shows them what a call gave back, once the rank's objects follow that. stamp is that of its Exit record.
func (a *follower) endCall(t *thread, f *mpi.Func, failed bool, stamp uint32, words []uint64) {
	c := &t.use
	if c.Func != f {
		return
	}
	t.inside = false
	c.Out, c.Failed = words, failed
	c.Words = t.entered12()
	a.follow.Exit(&c.Call)
	if a.checks == nil {
		return
	}
	c.Beside = c.Beside[:0]
	if len(t.rank.threads) > 1 && int32(t.ring.Returned()-t.stamp) < 0 {
		for _, o := range t.rank.threads { // those that have begun a call since
			if o != t && o.use.Func != nil && int32(o.stamp-t.stamp) > 0 && int32(stamp-o.stamp) > 0 {
				c.Beside = append(c.Beside, o.asBeside())
			}
		}
	}
	if failed && t.failure != nil && t.failure.Func == f.ID {
		c.Message = firstLine(t.failure.Text)
	}
	a.checks.Exit(c)
	a.tellChecks()
}

// know prepares what is known of a new rank's objects, and what the checks know of the rank.
func (a *follower) know(r *rank, h *decode.Hello) {
	o := r.Objects
	o.Limits.TagUB, o.Limits.Level = h.TagUB, h.Level
	o.Rules, o.Basics, o.Models, o.Same = rulesOf(r.library), a.basics, a.models, &a.same
	o.Certain = func() bool {
		return !r.untold && !r.lost && len(r.unknown) == 0 && (a.noRoom == nil || !a.noRoom())
	}
	r.use = check.NewRank(o)
	r.use.Lowest = func() uint64 { return r.Maps.Lowest() }
	r.use.Where = func(at uint64) check.Ground { return a.where(r, at) }
	r.use.Declared = func(c *check.Call, param int) (check.Written, bool) { return a.Declared(&r.Process, c, param) }
	r.use.Frame = func(site uint64) finding.Frame { return a.Frame(&r.Process, site) }
	r.use.Trail = func(site uint64) []finding.Frame { return a.Trail(&r.Process, site) }
	r.use.Passed = func(from *finding.Frame, procedure string) []string {
		return written.Call(from.File, from.Line, procedure[strings.LastIndexByte(procedure, ':')+1:])
	}
	r.use.Innermost = func(site uint64) finding.Frame {
		if frames := a.Frames(&r.Process, site); len(frames) > 0 {
			return frames[0]
		}
		return finding.Frame{}
	}
	r.use.Argument = func(f *mpi.Func, site uint64, i int) string {
		frames := a.Frames(&r.Process, site) // the argument stands where the call does, in a library too
		if len(frames) == 0 {
			return ""
		}
		return argument(frames[0].File, frames[0].Line, f, i)
	}
	r.use.Now = func() *waitstate.Moment {
		for _, t := range r.threads {
			if t.ws.Index == 0 {
				return a.node.Now(t.ws)
			}
		}
		return nil
	}
}

// entered12 is what is kept of the Enter record of the thread's last call, if that is no quiet one.
func (t *thread) entered12() []uint64 {
	if t.nlast == 0 {
		return nil
	}
	return t.latest().First()
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
func (a *follower) tellReports() {
	for _, r := range a.checks.Reports {
		rank := a.ranks[op.Rank(r.Call.Rank.World)]
		m := message.Misuse{Finding: a.misuse(rank, r), Param: r.Param, Pair: r.Pair}
		for _, t := range rank.threads {
			if t.ws.Index == r.Call.Thread {
				m.Scope = t.scopeOf(&r.Call)
			}
		}
		a.misused = append(a.misused, misusedOften{m, r})
		a.net.SendUp(m)
	}
	a.checks.Reports = a.checks.Reports[:0]
}

var parameter = regexp.MustCompile(`\{([a-z_0-9]+)\}`)

// argument is how the program writes an argument of a call, in Python the array of a buffer.
func argument(file string, line int, f *mpi.Func, i int) string {
	if strings.HasSuffix(file, ".py") {
		return written.Array(file, line, f, i)
	}
	return written.Argument(file, line, f.Name, i)
}

// misuse puts a report into a finding.
func (a *follower) misuse(r *rank, x *check.Report) finding.Finding {
	p := a.Place(&r.Process, x.Call.Func, x.Call.Site, x.Call.Words, x.Call.Stamp)
	p.Thread, p.State = int(x.Call.Thread), "called"
	written := func(name string) string {
		for i := range x.Call.Func.Params {
			if x.Call.Func.Params[i].Name != name {
				continue
			}
			if text := argument(p.File, p.Line, x.Call.Func, i); text != "" && text != name &&
				!(strings.HasPrefix(text, "MPI_") && strings.Contains(x.Sentence.Text, text)) {
				return name + " (`" + text + "`)"
			}
		}
		return name
	}
	f := finding.Finding{Code: x.Code, Severity: x.Severity, Standing: x.Standing, Hint: x.Hint, Notes: x.Notes,
		Ranks: []int{int(r.World)}, Places: []finding.Place{p}, Count: 1}
	f.Form = x.Sentence.Form
	f.Sentence = parameter.ReplaceAllStringFunc(x.Sentence.Text, func(s string) string {
		return written(s[1 : len(s)-1])
	})
	for _, rel := range x.Related {
		text := rel.Text
		if rel.Func != nil {
			text += " by " + rel.Func.Name
		}
		if at := a.Frame(&r.Process, rel.Site).Where(); at != "" {
			text += " at " + at
			// known findings of libraries go by it
			f.Related = append(f.Related, symbol.Written(a.Frames(&r.Process, rel.Site)))
		}
		f.Notes = append(f.Notes, finding.Note{Label: rel.Label, Text: text})
	}
	f.Notes = append(f.Notes, a.Elsewhere(x.Elsewhere, a.whereIs)...)
	f.Meeting = a.meeting(r, x)
	return f
}

// meeting is what another run needs to have the two ranks of a report meet, nil if they cannot be made to, or if the
// other one is another agent's.
func (a *follower) meeting(r *rank, x *check.Report) *finding.Meeting {
	if x.Meets == nil || len(x.Elsewhere) == 0 {
		return nil
	}
	e := &x.Elsewhere[0]
	other := a.ranks[op.Rank(e.Rank)]
	if other == nil || r.Maps == nil || other.Maps == nil {
		return nil
	}
	m := finding.Meeting{Owner: x.Meets.Owner, Start: x.Meets.Start, End: x.Meets.End,
		Ranks: []int{int(r.World), e.Rank}}
	for i, c := range []struct {
		maps *symbol.Maps
		site uint64
	}{{r.Maps, x.Call.Site}, {other.Maps, e.Site}} {
		module, offset := c.maps.Locate(ring.Address(c.site))
		if module == "" {
			return nil // Python
		}
		m.Sites[i] = meet.Site(module, offset)
	}
	return &m
}

// addComm takes in a communicator, which the thread's last call has made unless it is predefined.
func (a *follower) addComm(t *thread, c *objects.Comm) {
	r := t.rank
	predefined := c.Handle == r.Objects.Limits.World || c.Handle == r.Objects.Limits.Self
	c.Topology = mpi.NoTopology
	if !predefined {
		c.Made, c.Topology = objects.Made{Func: t.fn, Site: t.site}, topologyOf(t)
	}
	if c.Foreign {
		c.ID = 0
	}
	c.Rank = c.Members.Index(r.World)
	c.Describe = func() finding.Wording { return a.CommWords(&r.Process, c) }
	r.Objects.AddComm(c, predefined)
	a.arranged(t, c)
}

// topologyOf is the topology of the communicator that the thread's last call has made (MPI-4.0, 7.4.2, 8.5).
func topologyOf(t *thread) mpi.Topology {
	switch {
	case t.fn == nil:
		return mpi.UnknownTopology
	case t.fn.Duplicates() && t.use.Comm != nil:
		return t.use.Comm.Topology
	}
	return t.fn.Topology
}
