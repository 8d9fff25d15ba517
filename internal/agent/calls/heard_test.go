package calls

import (
	"cmp"
	"fmt"
	"strings"

	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// heard writes down, in words, what the observer of one thread is given. That a call begins and ends, and that an
// operation is entered as it was started, is left out.
type heard struct {
	*scene
	t       *Thread
	name    string
	started string
}

func (h *heard) say(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if h.name != "0" {
		line = h.name + ": " + line
	}
	h.list = append(h.list, line)
}

// context is what messages and collectives are matched in, by the name of the handle it belongs to.
func (h *heard) context(id op.CommID) string {
	if name := h.ctx[id]; name != "" {
		return name
	}
	name := ""
	for _, t := range h.threads {
		for c := range t.Rank.Objects.Comms() {
			if objects.Ident(c.ID, objects.SaltLeader) == id {
				name = "leaders over " + h.Name(c.Handle)
			}
		}
		for handle, f := range t.Rank.Objects.Files {
			if id == f.ID {
				name = h.Name(handle)
			}
		}
		for handle, w := range t.Rank.Objects.Windows {
			switch id {
			case w.ID:
				name = h.Name(handle)
			case objects.Ident(w.ID, objects.SaltPost):
				name = "posts of " + h.Name(handle)
			case objects.Ident(w.ID, objects.SaltComplete):
				name = "completions of " + h.Name(handle)
			}
		}
	}
	if name == "" {
		h.others++
		name = fmt.Sprint("context ", h.others)
	}
	h.ctx[id] = name
	return name
}

// part describes a part.
func (h *heard) part(p *waitstate.Part) string {
	var b strings.Builder
	add := func(yes bool, format string, args ...any) {
		if yes {
			fmt.Fprintf(&b, " "+format, args...)
		}
	}
	from := func(r op.Rank) string {
		if r == op.AnySource {
			return "any"
		}
		return fmt.Sprint(r)
	}
	tag := fmt.Sprint(p.Tag)
	if p.Tag == op.AnyTag {
		tag = "any"
	}
	switch p.Kind {
	case op.Served:
		return "served"
	case op.Observed:
		return "observed"
	case op.Send:
		fmt.Fprintf(&b, "send %d>%d tag %s in %s", p.Src, p.Dst, tag, h.context(p.Ctx))
		add(p.Bytes >= 0, "%d bytes", p.Bytes)
		add(p.Mode == op.Synchronous, "synchronous")
		add(p.Mode == op.Buffered, "buffered")
	case op.Recv, op.Probe:
		fmt.Fprintf(&b, "%s %d<%s tag %s in %s", map[bool]string{true: "probe", false: "receive"}[p.Kind == op.Probe],
			p.Dst, from(p.Src), tag, h.context(p.Ctx))
		add(p.Wild, "wild")
		add(p.Taking != nil, "matched probe")
		if p.Content.Type != nil {
			add(true, "room for %d", p.Content.Count*p.Content.Type.Size())
		}
	case op.Coll:
		fmt.Fprintf(&b, "part of %s %d", h.context(p.Member.Group.Ctx), p.Member.Seq())
		add(p.Root != op.AnySource, "root %d", p.Root)
		add(p.Sig.Root != p.Root, "signed %d", p.Sig.Root)
		add(p.Sig.Side != op.AnySource, "side %d", p.Sig.Side)
		add(p.Sig.Facing, "facing")
		add(p.Sync != op.SyncNone, "%s", [...]string{"", "needs all", "needs the root", "root needs all",
			"needs the lower"}[p.Sync])
		add(p.Everybody, "everybody")
		add(p.Sig.Fold != 0, "with an operator")
		add(p.Nonblock, "nonblocking")
	}
	add(p.Presumes, "ready")
	add(p.Held, "held")
	add(p.Unordered, "unordered")
	add(p.Unclear, "unclear")
	add(p.Nth > 0, "number %d", p.Nth)
	if p.Forced != nil {
		add(true, "forced from %d tag %d", p.Forced.Src, p.Forced.Tag)
	}
	return b.String()
}

func (h *heard) parts(list []*waitstate.Part) string {
	var all []string
	for _, p := range list {
		all = append(all, h.part(p))
	}
	return strings.Join(all, ",\n")
}

// operation describes what a call became.
func (h *heard) operation(o *waitstate.Op) string {
	var b strings.Builder
	for _, c := range []struct {
		is   bool
		word string
	}{{!o.Blocking, " at once"}, {o.Opaque, " opaque"}, {o.Silent, " silent"}, {o.Tells, " telling"},
		{o.Terminal, " last"}} {
		if c.is {
			b.WriteString(c.word)
		}
	}
	if len(o.Posts) > 0 {
		b.WriteString(" starts " + h.parts(o.Posts))
	}
	if len(o.Waits) > 0 {
		if of := map[bool]string{true: " any of"}[o.Any]; len(o.Posts) > 0 && h.parts(o.Posts) == h.parts(o.Waits) {
			b.WriteString(" and waits for" + of + " it")
		} else {
			b.WriteString(map[bool]string{true: ",\nwaits for", false: " waits for"}[len(o.Posts) > 0] + of + " " +
				h.parts(o.Waits))
		}
	}
	if o.Indices != nil {
		fmt.Fprintf(&b, " at %v", o.Indices)
	}
	return b.String()
}

func (h *heard) Began()                              {}
func (h *heard) Called(*mpi.Func, *waitstate.Origin) {}
func (h *heard) CallEnded(uint32)                    {}

func (h *heard) Started(o *waitstate.Op) {
	h.started = h.operation(o)
	if h.carried {
		h.say("%s: %s", h.t.Func.Name, data(o.Posts[0].Blocks))
		return
	}
	h.say("%s%s", h.t.Func.Name, h.started)
}

func (h *heard) Entering(o *waitstate.Op, f *mpi.Func) {
	if is := h.operation(o); is != h.started {
		h.say("entered as%s", is)
	}
}

func (h *heard) Returned(failed bool) {
	if !h.carried {
		h.say("%s", map[bool]string{true: "failed", false: "returned"}[failed])
	}
}

func (h *heard) ThreadEnded(uint32)      { h.say("thread ended") }
func (h *heard) Joining(o *waitstate.Op) { h.say("joins thread %d%s", h.t.Joins, h.operation(o)) }

func (h *heard) Asks(f *mpi.Func, _ *waitstate.Op, requests []*objects.Request) {
	known := 0
	for _, q := range requests {
		if q != nil {
			known++
		}
	}
	h.say("%s asks for %d of %d requests", f.Name, known, len(requests))
}

func (h *heard) AsksFor(p *waitstate.Part)  { h.say("asks for %s", h.part(p)) }
func (h *heard) Missed(nth, n uint32)       { h.say("missed %d from choice %d on", n, nth) }
func (h *heard) Found(o *waitstate.Op)      { h.say("found what%s", h.operation(o)) }
func (h *heard) Gone(p *waitstate.Part)     { h.say("gone: %s", h.part(p)) }
func (h *heard) Done(index int32)           { h.say("done: %d", index) }
func (h *heard) Restarted(*objects.Request) { h.say("restarted") }
func (h *heard) Completed(list []*waitstate.Part) {
	h.say("completed %s", cmp.Or(h.parts(list), "nothing"))
}
func (h *heard) Named(c *objects.Comm) { h.say("%s named %s", h.Name(c.Handle), c.Name) }
func (h *heard) Numbered(n, made, commits uint64) {
	h.say("way %d: made at %d, committed at %d", n, made, commits)
}
func (h *heard) Remade(n uint64) { h.say("made in way %d", n) }
func (h *heard) LostTrack()      { h.say("lost track") }

// Unordered writes neighbouring lines in their order: nobody asks in which order contexts lose theirs.
func (h *heard) Unordered(id op.CommID) {
	h.say("no order in %s", h.context(id))
	for i := len(h.list) - 1; i > 0 && strings.Contains(h.list[i-1], "no order in ") && h.list[i-1] > h.list[i]; i-- {
		h.list[i-1], h.list[i] = h.list[i], h.list[i-1]
	}
}

func (h *heard) Requested(q *objects.Request) {
	h.say("requested%s%s", map[bool]string{true: " persistent"}[q.Persistent], map[bool]string{false: " idle"}[q.Active])
}

func (h *heard) Matched(p *waitstate.Part, from op.Rank, tag int32) {
	h.say("matched rank %d tag %d", from, tag)
}

func (h *heard) Filled(_ *objects.Request, bytes int64, by objects.Made) {
	h.say("%s at %d got %d bytes", by.Func.Name, by.Site, bytes)
}

func (h *heard) Made(c *objects.Comm) {
	name := h.Name(c.Handle)
	if h.ctx[c.ID] == "" && c.ID != 0 {
		h.ctx[c.ID] = name
	}
	words := []string{name + ":"}
	switch {
	case c.Foreign:
		words = append(words, "foreign")
	case h.ctx[c.ID] != name:
		words = append(words, "known as", h.ctx[c.ID])
	}
	if c.Grouped {
		words = append(words, "from group "+c.Tag)
	}
	if c.Parent != nil {
		words = append(words, c.How, "of", h.Name(c.Parent.Handle))
	}
	words = append(words, fmt.Sprint(c.Members.List()))
	if c.Inter {
		words = append(words, "facing", fmt.Sprint(c.Remote.List()))
	}
	if c.Topology != mpi.NoTopology {
		words = append(words, fmt.Sprint("topology ", int(c.Topology)))
	}
	h.say("%s", strings.Join(words, " "))
}

// data describes what a member of a collective gives and expects, each block as so many elements of so many bytes.
func data(b *waitstate.Blocks) string {
	if b == nil {
		return "not known"
	}
	words := []string{[...]string{"uniform", "to root", "from root", "pairwise", "adjacent"}[b.Shape]}
	list := func(name string, all []datatype.Content) {
		if all == nil {
			return
		}
		words = append(words, name)
		for _, c := range all {
			if c.Type == nil {
				words = append(words, fmt.Sprintf("%d×?", c.Count))
			} else {
				words = append(words, fmt.Sprintf("%d×%d", c.Count, c.Type.Size()))
			}
		}
	}
	list("gives", b.Give)
	list("takes", b.Take)
	for _, c := range []struct {
		is   bool
		word string
	}{{b.Root, "root"}, {b.Up, "up"}, {b.Idle, "idle"}, {b.Side == waitstate.Left, "left"},
		{b.Side == waitstate.Right, "right"}, {b.Peers > 0, fmt.Sprintf("of %d", b.Peers)},
		{b.To != nil, fmt.Sprint("to ", b.To)}, {b.From != nil, fmt.Sprint("from ", b.From)}} {
		if c.is {
			words = append(words, c.word)
		}
	}
	return strings.Join(words, " ")
}
