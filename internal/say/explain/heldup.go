package explain

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// HeldUp is a job that stands still as calls do not return whose other side has been called. Members are the threads
// in these calls, Others those that cannot go on because of them.
type HeldUp struct {
	Story
	Still time.Duration // for which no call has been completed
}

// Finding puts it into words.
func (h *HeldUp) Finding() finding.Finding {
	f := finding.Finding{Code: finding.StalledInLibrary, Severity: finding.Info, Standing: finding.Manifest, Count: 1,
		Confidence: h.confidence()}
	for i := range h.Members {
		m := &h.Members[i]
		p := h.place(m)
		p.SetReason(m.matched())
		if w := m.Described.Shape.Within; w != nil && p.Stay != nil {
			stay := *p.Stay
			stay.Process, stay.SystemCall, stay.On, stay.In = w.Process, w.SystemCall, w.On, w.In
			p.Stay = &stay
		}
		f.Places = append(f.Places, p)
		f.Ranks = append(f.Ranks, int(m.Described.Key.Rank))
		for r := range h.Alike[m.Described.Key].All() {
			f.Ranks = append(f.Ranks, int(r))
		}
	}
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	for i := range h.Others {
		f.Others = append(f.Others, h.place(&h.Others[i]))
	}
	f.Say(finding.Wordf("The MPI library has not completed matching calls for %s: %s.",
		finding.Lasting(h.Still.Seconds()), finding.Joined(h.clauses(), "; ")))
	f.Notes = h.notes()
	f.Hint = h.hint()
	return f
}

// confidence is lower where MPI could choose among messages, and of one-sided calls, as libraries take their locks
// late.
func (h *HeldUp) confidence() string {
	for i := range h.Members {
		for _, n := range h.Members[i].Needs {
			if n.Kind == waitstate.NeedMessage && n.Rank == op.AnySource || n.Kind == waitstate.NeedUnlock ||
				n.Kind == waitstate.NeedTarget {
				return finding.Medium
			}
		}
	}
	return finding.High
}

// matched says what the call of a member has on the other side.
func (m *Member) matched() finding.Phrase {
	if len(m.Needs) != 1 {
		return finding.Plain("the MPI library: all that it waits for has been matched")
	}
	switch n := m.Needs[0]; n.Kind {
	case waitstate.NeedMessage:
		return finding.Naming("a message that ", n.sender(), " has sent")
	case waitstate.NeedReceive:
		return finding.Naming("", n.Rank, ", which has posted the receive")
	case waitstate.NeedUnlock:
		return finding.Plain("the MPI library: no other rank holds a lock on the window")
	case waitstate.NeedTarget:
		return finding.Plain("the MPI library: its one-sided operations need nothing else")
	}
	return finding.Plain("the MPI library: all ranks have called " + collectiveName(m))
}

// target is whose window a need is about.
func target(n *Need) finding.Wording {
	if n.Rank == op.AnySource {
		return finding.Wordf("any rank")
	}
	return finding.Wordf("rank %d", n.Rank)
}

// sender is the rank whose message a need has been given, or may be.
func (n *Need) sender() op.Rank {
	if n.Rank == op.AnySource {
		return n.There
	}
	return n.Rank
}

// clauses name the calls and what they match: some of them, if there are many.
func (h *HeldUp) clauses() (list []finding.Wording) {
	const most = 3
	type meeting struct {
		call string
		ctx  op.CommID
		seq  uint64
	}
	told := make(map[meeting]bool)
	more := 0
	add := func(w finding.Wording) {
		if len(list) == most {
			more++
			return
		}
		list = append(list, w)
	}
	for i := range h.Members {
		m := &h.Members[i]
		call := m.Described.Place.Call
		if len(m.Needs) == 1 && m.Needs[0].Kind == waitstate.NeedMembers {
			at := meeting{call, m.Needs[0].Ctx, m.Needs[0].Seq}
			if told[at] {
				continue
			}
			told[at] = true
			ranks := h.together(func(o *Member) bool {
				return len(o.Needs) == 1 && o.Needs[0].Kind == waitstate.NeedMembers && at ==
					meeting{o.Described.Place.Call, o.Needs[0].Ctx, o.Needs[0].Seq}
			})
			add(finding.Wordf("%s %s %s, and all ranks of the communicator have called %s", finding.Ranks(ranks),
				inflect(len(ranks), "is", "are"), m.doing(), finding.Wordf("%s", m.collective())))
			continue
		}
		add(finding.Wordf("rank %d is %s, and %s", m.Described.Key.Rank, m.doing(), m.other()))
	}
	if more > 0 {
		list = append(list, finding.Counted(more, "more call alike", "more calls alike"))
	}
	return list
}

// together are the ranks of members of a kind.
func (h *HeldUp) together(is func(*Member) bool) (ranks []op.Rank) {
	for i := range h.Members {
		if m := &h.Members[i]; is(m) {
			ranks = append(append(ranks, m.Described.Key.Rank), h.Alike[m.Described.Key].List()...)
		}
	}
	slices.Sort(ranks)
	return slices.Compact(ranks)
}

// collective names what the members of a collective have called.
func (m *Member) collective() string {
	if m.completes() {
		return "the same non-blocking collective"
	}
	return "it"
}

// doing is "in MPI_Recv" or "polling with MPI_Test".
func (m *Member) doing() finding.Wording {
	if m.State == message.Polling {
		return finding.Wordf("polling with %s", m.Described.Place.Call)
	}
	return finding.Wordf("in %s", m.Described.Place.Call)
}

// other says what has been called on the other side.
func (m *Member) other() finding.Wording {
	if len(m.Needs) != 1 {
		return finding.Wordf("each of the %s that it waits for has its match",
			finding.Counted(len(m.Needs), "operation", "operations"))
	}
	switch n := &m.Needs[0]; n.Kind {
	case waitstate.NeedMessage:
		if call := m.awaited(); call != "" {
			return finding.Wordf("rank %d has called %s", n.sender(), call)
		}
		return finding.Wordf("rank %d has sent a matching message", n.sender())
	case waitstate.NeedUnlock:
		return finding.Wordf("no other rank holds a lock on the window of %s", target(n))
	case waitstate.NeedTarget:
		return finding.Wordf("its one-sided operations on the window of %s need nothing else", target(n))
	}
	return finding.Wordf("rank %d has posted a matching receive", m.Needs[0].Rank)
}

// notes say what the processes do, and with which library and transport.
func (h *HeldUp) notes() (out []finding.Note) {
	doing := make(map[string][]op.Rank)
	var order []string
	for _, list := range [][]Member{h.Members, h.Others} {
		for i := range list {
			m := &list[i]
			words := activity(m.Described.Shape.Within)
			if words == "" || m.Described.Place.Stay != nil && m.Described.Place.Stay.Outside {
				continue
			}
			if doing[words] == nil {
				order = append(order, words)
			}
			doing[words] = append(doing[words], m.Described.Key.Rank)
		}
	}
	const most = 6
	for _, words := range order[:min(len(order), most)] {
		list := slices.Compact(slices.Sorted(slices.Values(doing[words])))
		out = append(out, finding.Remarkf("%s: %s", finding.Ranks(list).Text, words))
	}
	if t := h.transport(); t != "" {
		out = append(out, finding.Remark(t))
	}
	const why = "all ranks that take part are in MPI, so it has to complete these calls (MPI-4.1, 2.9 and 3.5)"
	sure := "confidence: high; " + why
	if h.confidence() == finding.Medium {
		sure = "confidence: medium, as a receive from any source is among the calls, for which there are enough " +
			"messages whatever MPI chooses, or a one-sided call; " + why
	}
	out = append(out, finding.Remark(sure))
	if !h.Glimpsed {
		out = append(out, finding.Remark("the job continues; --stall=D sets the time after which this is printed, "+
			"--stall=0 turns it off"))
	}
	return out
}

// activity says what a process does in a call of MPI; "" if that is not known.
func activity(w *message.Within) string {
	if w == nil {
		return ""
	}
	call, at := "", ""
	if w.SystemCall != "" && !strings.Contains(w.SystemCall, "yield") {
		call = " in " + w.SystemCall
		if on := about(w.On); on != "" {
			call += " on" + on
		}
	}
	if w.In != "" {
		at = ", called by " + w.In
	}
	switch w.Process {
	case "running":
		if call == "" {
			return "spinning"
		}
		return "running" + call + at
	case "asleep":
		if w.SystemCall == "futex" {
			return "waiting for another thread (futex)" + at
		}
		return "asleep" + call + at
	case "uninterruptible":
		return "in an uninterruptible sleep of the system" + strings.Replace(call, " in ", ", in ", 1) + at
	}
	return ""
}

// within is what is known of the process of the first member of which something is; not nil.
func (h *HeldUp) within() *message.Within {
	for i := range h.Members {
		if w := h.Members[i].Described.Shape.Within; w != nil && w.Library != "" {
			return w
		}
	}
	return new(message.Within)
}

// transport names the library, the parts of it that move messages, and what the environment says of them.
func (h *HeldUp) transport() string {
	w := h.within()
	var list []string
	switch {
	case w.Device != "":
		list = append(list, w.Library+", "+w.Device)
	case w.Library != "":
		list = append(list, w.Library)
	}
	if len(w.Parts) > 0 {
		names := make([]string, 0, len(w.Parts))
		for _, p := range w.Parts {
			names = append(names, partName(p))
		}
		list = append(list, "loaded: "+strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), ", "))
	}
	if len(w.Settings) > 0 {
		list = append(list, "set: "+strings.Join(w.Settings, " "))
	}
	return strings.Join(list, "; ")
}

// partName is what a module is known by: "mca_btl_vader.so" is "btl vader".
func partName(module string) string {
	name, _, _ := strings.Cut(filepath.Base(module), ".so")
	for _, framework := range []string{"pml", "mtl", "btl"} {
		if component, is := strings.CutPrefix(name, "mca_"+framework+"_"); is {
			return framework + " " + component
		}
	}
	switch {
	case strings.HasPrefix(name, "libucp"), strings.HasPrefix(name, "libuct"):
		return "UCX"
	case strings.HasPrefix(name, "libfabric"):
		return "libfabric"
	case strings.HasPrefix(name, "libibverbs"), strings.HasPrefix(name, "libmlx"):
		return "verbs"
	}
	return strings.TrimPrefix(name, "lib")
}
