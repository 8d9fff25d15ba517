package agent

import (
	"regexp"
	"slices"
	"strings"

	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/tree"
	"unknot/internal/usage"
)

// checkEnter shows the usage checks a call before it is made: one that completes requests after the agent has found out what
// they are, others before the agent takes them in.
func (a *Agent) checkEnter(t *thread, f *mpi.Func, site uint64, words []uint64) {
	if a.checks == nil {
		return
	}
	c := &t.use
	c.Func, c.Site, c.Rank, c.Thread, c.Stamp, c.Words, c.Out, c.Failed = f, site, t.rank.use, t.ws.Index, t.stamp, words, nil, false
	c.Comm, c.Nulls, c.Message, c.Beneath = nil, c.Nulls[:0], "", t.beneath
	for _, n := range t.nulls {
		if n.fn == f.ID {
			c.Nulls = append(c.Nulls, n.param)
		}
	}
	if at := f.EnterAt[mpi.RComm]; at >= 0 && int(at) < len(words) {
		if comm := t.rank.comm(words[at]); comm != nil {
			c.Comm = comm.use
		}
	}
	c.Requests, c.Handles, c.Beside = c.Requests[:0], c.Handles[:0], c.Beside[:0]
	t.inside = true
	if completes(f) {
		c.Handles = append(c.Handles, t.handles...)
		for _, q := range t.reqs {
			c.Requests = append(c.Requests, q.inUse())
		}
	} else if f.Class == mpi.Startall || f.EnterAt[mpi.RRequest] >= 0 {
		t.useRequests(f, words)
	}
	if len(t.rank.threads) > 1 {
		t.beside()
	}
	a.leave(t)
	a.checks.Enter(c)
	a.tellChecks()
}

// completes says whether the agent finds out what requests a call names when it takes in the call.
func completes(f *mpi.Func) bool {
	return f.Class >= mpi.Wait && f.Class <= mpi.GetStatus
}

func (q *request) inUse() *usage.Request {
	if q == nil {
		return nil
	}
	return &q.use
}

// useRequests looks up the requests that a call names which completes none.
func (t *thread) useRequests(f *mpi.Func, words []uint64) {
	c := &t.use
	if f.Class == mpi.Startall {
		e := call{t: t, r: t.rank, f: f, words: words}
		c.Handles = append(c.Handles, e.list(mpi.RRequests)...)
	} else if at := int(f.EnterAt[mpi.RRequest]); at < len(words) {
		c.Handles = append(c.Handles, words[at])
	}
	for _, h := range c.Handles {
		c.Requests = append(c.Requests, t.rank.request(h).inUse())
	}
}

// beside notes the other threads of the rank that are certainly inside of a call while this one begins its own. Records of a
// rank's threads come in the order of their stamps, so a call whose Exit record has not come returned after this one began. Of
// one that writes none, the header of its ring says when it has returned: if it has not until now, it has not before.
func (t *thread) beside() {
	c := &t.use
	for _, o := range t.rank.threads {
		if o == t || o.ended || !o.inside || int32(o.ring.Returned()-o.stamp) >= 0 {
			continue
		}
		c.Beside = append(c.Beside, o.asBeside())
	}
}

func (t *thread) asBeside() usage.Thread {
	return usage.Thread{Index: t.ws.Index, Stamp: t.stamp, Func: t.use.Func, Site: t.use.Site, Comm: t.use.Comm, Requests: t.use.Requests}
}

// checkExit shows them what a call gave back. stamp is that of its Exit record.
func (a *Agent) checkExit(t *thread, f *mpi.Func, failed bool, stamp uint32, words []uint64) {
	c := &t.use
	if a.checks == nil || c.Func != f {
		return
	}
	t.inside = false
	c.Out, c.Failed = words, failed
	c.Words = t.entered12()
	c.Beside = c.Beside[:0]
	if len(t.rank.threads) > 1 && int32(t.ring.Returned()-t.stamp) < 0 {
		for _, o := range t.rank.threads { // those that have begun a call since
			if o != t && o.use.Func != nil && int32(o.stamp-t.stamp) > 0 && int32(stamp-o.stamp) > 0 {
				c.Beside = append(c.Beside, o.asBeside())
			}
		}
	}
	if failed && t.failure.fn == f.ID {
		c.Message = firstLine(t.failure.text)
	}
	a.checks.Exit(c)
	a.tellChecks()
}

// use makes the usage model of a rank.
func (a *Agent) use(r *rank, h *hello) *usage.Rank {
	u := usage.NewRank(int(r.world))
	u.Limits.TagUB, u.Limits.Level = h.tagUB, h.level
	u.Basics = a.basics
	u.Certain = func() bool {
		return !r.untold && !r.lost && len(r.unknown) == 0 && (a.noRoom == nil || !a.noRoom())
	}
	u.Where = func(at uint64) usage.Ground { return a.where(r, at) }
	u.Pending = func(visit func(*usage.Request)) {
		r.requests.each(func(q *request) {
			for ; q != nil; q = q.next {
				visit(&q.use)
			}
		})
	}
	return u
}

// entered12 is what is kept of the Enter record of the thread's last call, if that is no quiet one.
func (t *thread) entered12() []uint64 {
	if t.nlast == 0 {
		return nil
	}
	ev := &t.last[(t.nlast-1)%len(t.last)]
	return ev.words()
}

// firstLine is the first line of what MPI says of an error: MPICH adds the calls inside of the library, which do not help.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(strings.TrimSpace(line), ", error stack:")
}

// misusedOften is a wrong use that was told, and how often the rank has made it by now: that is told at the end.
type misusedOften struct {
	again  message.Misuse
	report *usage.Report
}

// tellReports makes findings of new reports and sends them to the root.
func (a *Agent) tellReports() {
	for _, r := range a.checks.Reports {
		rank := a.ranks[op.Rank(r.Call.Rank.World)]
		m := message.Misuse{Finding: a.misuse(rank, r), Param: r.Param, Pair: r.Pair}
		for _, t := range rank.threads {
			if t.ws.Index == r.Call.Thread {
				m.Scope = t.scopeOf(&r.Call)
			}
		}
		a.misused = append(a.misused, misusedOften{m, r})
		a.net.Send(tree.Root, m)
	}
	a.checks.Reports = a.checks.Reports[:0]
}

var parameter = regexp.MustCompile(`\{([a-z_0-9]+)\}`)

// misuse puts a report into a finding.
func (a *Agent) misuse(r *rank, x *usage.Report) finding.Finding {
	p := a.place(r, x.Call.Func, x.Call.Site, x.Call.Words, x.Call.Stamp)
	p.Thread, p.State = int(x.Call.Thread), "called"
	written := func(name string) string {
		for i := range x.Call.Func.Params {
			if x.Call.Func.Params[i].Name != name {
				continue
			}
			if text := usage.Written(p.File, p.Line, x.Call.Func.Name, i); text != "" && text != name && !(strings.HasPrefix(text, "MPI_") && strings.Contains(x.Sentence, text)) {
				return name + " (`" + text + "`)"
			}
		}
		return name
	}
	f := finding.Finding{Code: x.Code, Severity: x.Severity, Standing: finding.Manifest, Hint: x.Hint, Notes: x.Notes,
		Ranks: []int{int(r.world)}, Places: []finding.Place{p}, Count: 1}
	f.Sentence = parameter.ReplaceAllStringFunc(x.Sentence, func(s string) string { return written(s[1 : len(s)-1]) })
	for _, rel := range x.Related {
		text := rel.Text
		if rel.Func != nil {
			text += " by " + rel.Func.Name
		}
		frame := a.written(r, rel.Site)
		if at := frame.Where(); at != "" {
			text += " at " + at
			f.Related = append(f.Related, frame)
		}
		f.Notes = append(f.Notes, text)
	}
	f.Notes = append(f.Notes, a.elsewhere(x.Elsewhere)...)
	return f
}

// tellCounts tells how often the ranks did again what was reported.
func (a *Agent) tellCounts() {
	a.endChecks()
	for _, m := range a.misused {
		if again := m.report.Count - 1; again > 0 {
			m.again.Finding.Count = again
			a.net.Send(tree.Root, m.again)
		}
	}
	a.misused = nil
}

// useConstants takes in the values of MPI's constants.
func (r *rank) useConstants(table *mpi.T, words []uint64) {
	r.use.Constants = make(map[string]int64)
	l, arrays := &r.use.Limits, &r.use.Arrays
	fields := map[string]*int64{
		"MPI_ANY_SOURCE": &l.AnySource, "MPI_ANY_TAG": &l.AnyTag, "MPI_PROC_NULL": &l.ProcNull, "MPI_ROOT": &l.Root,
		"MPI_UNDEFINED": &l.Undefined, "MPI_BSEND_OVERHEAD": &l.BsendOverhead,
		"MPI_THREAD_SINGLE": &l.Single, "MPI_THREAD_FUNNELED": &l.Funneled, "MPI_THREAD_SERIALIZED": &l.Serialized, "MPI_THREAD_MULTIPLE": &l.Multiple,
		"MPI_ORDER_FORTRAN": &arrays.Fortran, "MPI_DISTRIBUTE_NONE": &arrays.None, "MPI_DISTRIBUTE_BLOCK": &arrays.Block,
		"MPI_DISTRIBUTE_CYCLIC": &arrays.Cyclic, "MPI_DISTRIBUTE_DFLT_DARG": &arrays.Choose,
	}
	for i, c := range table.Constants() {
		if i >= len(words) || words[i] == ^uint64(0) && c.Type != "int" && c.Name != "MPI_IN_PLACE" { // -1 in MPICH
			continue
		}
		v := words[i]
		if c.Type == "int" {
			r.use.Constants[c.Name] = int64(int32(v))
		}
		if field := fields[c.Name]; field != nil {
			*field = int64(int32(v))
		}
		switch c.Name {
		case "MPI_IN_PLACE":
			l.InPlace = v
		case "MPI_BOTTOM":
			l.Bottom = v
		case "MPI_THREAD_SINGLE":
			l.LevelKnown = true
		}
		switch {
		case c.Object == mpi.NoObject || c.Object == mpi.OComm && !c.Null: // communicators are told with their members
		case c.Null:
			l.Nulls[c.Object], l.HasNull[c.Object] = v, true
		case v != ^uint64(0):
			r.use.Predefine(c.Object, v, c.Name)
		}
	}
}

// useComm tells the checks of a communicator, which the thread's last call has made unless it is predefined.
func (a *Agent) useComm(t *thread, c *comm) {
	r, made := t.rank, usage.Made{}
	topology, name := mpi.NoTopology, ""
	switch {
	case c.handle == r.consts.worldComm || c.handle == r.consts.selfComm:
		name = c.name
	default:
		made = usage.Made{Func: t.fn, Site: t.site}
		topology = topologyOf(t)
	}
	c.use = &usage.Comm{Handle: c.handle, Rank: slices.Index(c.members, r.world), Size: len(c.members), Remote: len(c.remote),
		Members: c.members, Inter: c.inter, Made: made, Topology: topology, Describe: func() string { return a.commName(r, c) }}
	if !c.foreign {
		c.use.ID = uint64(c.id)
	}
	r.use.AddComm(c.use, name)
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
