package judge

import (
	"fmt"
	"slices"

	"unknot/internal/attach/look"
	"unknot/internal/model/waitstate"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// member is a thread with what it waits for.
func (j *Job) member(n *node) explain.Member {
	d := &message.Described{Key: n.key(), Still: n.thread.Kept != look.Left, Place: j.place(n),
		Shape: message.Shape{Bytes: -1}}
	m := explain.Member{Described: d, State: message.Running}
	c := n.thread.Call
	switch {
	case n.asleep:
		m.State, m.Wait = message.Asleep, &waitstate.Wait{}
		d.Place.State, d.Place.Call = "blocked", n.thread.Waits()
		return m
	case c == nil:
		return m
	}
	d.Shape.Class, d.Shape.Name = c.Function.Class, c.Function.Name
	if c.Function.Class == mpi.Finalize && !n.met {
		m.State, d.Place.State = message.Finished, "finished"
		return m
	}
	m.State, m.Wait = message.Blocked, &waitstate.Wait{Any: n.any}
	d.Shape.Posted = make(map[message.Key]message.Posted)
	for i := range n.parts {
		p := &n.parts[i]
		need := waitstate.Need{Kind: p.kind, Rank: p.peer, Tag: int32(p.tag.n), Index: p.index, Sync: p.sync, Root: p.root,
			Free: !p.known}
		need.There = p.there
		if p.by == nil {
			need.Index = -1
		} else {
			need.Origin = &waitstate.Origin{Rank: d.Key.Rank, Thread: n.index, TS: uint64(i) + 1, Fn: p.by.ID}
			d.Shape.Posted[message.CallKey(need.Origin)] = message.Posted{Call: p.by.Name,
				At: n.rank.Sites[p.posted]}
		}
		if p.kind == waitstate.NeedMembers {
			d.Shape.Comm = p.group()
		}
		m.Wait.Needs = append(m.Wait.Needs, need)
		one := explain.Need{Need: &need, Ranks: p.absent}
		switch {
		case p.kind == waitstate.NeedMembers && p.sync == op.SyncFromRoot && slices.Contains(p.absent, p.root):
			one.Ranks = []op.Rank{p.root}
			m.Peers = append(m.Peers, p.root)
		case p.kind == waitstate.NeedMembers:
			m.Peers = append(m.Peers, p.absent...)
		case p.known && len(p.from) > 0:
			m.Peers = append(m.Peers, p.from...)
		case p.known && p.peer == op.AnySource:
			for r := range op.Rank(j.size) {
				if r != d.Key.Rank {
					m.Peers = append(m.Peers, r)
				}
			}
		case p.known && p.peer >= 0:
			m.Peers = append(m.Peers, p.peer)
		}
		m.Needs = append(m.Needs, one)
	}
	slices.Sort(m.Peers)
	m.Peers = slices.Compact(m.Peers)
	return m
}

// group is the communicator of a collective, in words.
func (p *part) group() finding.Wording {
	switch {
	case p.ctx == world:
		return finding.Wordf("MPI_COMM_WORLD")
	case p.members > 0:
		return finding.Wordf("a communicator of %s", finding.Count(p.members, "rank", "ranks"))
	}
	return finding.Wording{}
}

func (n *node) key() message.Key {
	return message.Key{Rank: op.Rank(n.rank.Rank.Rank), Thread: n.index}
}

// place is where a thread is.
func (j *Job) place(n *node) finding.Place {
	p := finding.Place{Rank: n.rank.Rank.Rank, Thread: int(n.index), State: "running", PID: n.rank.PID,
		Stack: n.thread.Frames, WaitsFor: []int{}}
	if j.several {
		p.Host = n.host
	}
	if c := n.thread.Call; c != nil {
		p.State, p.Call, p.Frame = "blocked", c.Function.Name, c.Frame
		p.SetArgs(j.arguments(n))
	} else {
		p.Frame = n.thread.Outside()
	}
	return p
}

// members names the communicator of a recorded call by its size, "" if that is not known.
func (n *node) members() string {
	c := n.rank.Record.CommOf(argument(n.call, mpi.RComm))
	if c == nil {
		return ""
	}
	return "a communicator of " + finding.Count(c.Local.Size+c.Remote.Size, "rank", "ranks")
}

// arguments puts those into words that say with whom a call communicates.
func (j *Job) arguments(n *node) finding.Phrase {
	var out []finding.Phrase
	f, t := n.thread.Call.Function, n.thread
	for i := range f.Params {
		role := f.Params[i].Role
		v := j.argument(t, role)
		number, known := v.Int()
		say := func(format string, args ...any) { out = append(out, finding.Plain(fmt.Sprintf(format, args...))) }
		preposition := "from"
		if role == mpi.RPeer && (f.Class == mpi.Send || f.Class == mpi.Sendrecv || f.Class == mpi.Isend) {
			preposition = "to"
		}
		if f.Class == mpi.WinLock || f.Class == mpi.WinUnlock || f.Class == mpi.WinFlush {
			preposition = "of"
		}
		switch role {
		case mpi.RPeer, mpi.RSource:
			switch {
			case !known:
				say("%s a rank that is not known", preposition)
			case n.rank.Library != nil && int64(number) == n.rank.Library.AnySource && preposition == "from":
				say("from any source")
			case n.rank.Library != nil && int64(number) == n.rank.Library.ProcNull:
				say("%s MPI_PROC_NULL", preposition)
			default:
				out = append(out, finding.Naming(preposition+" ", number, ""))
			}
		case mpi.RTag, mpi.RRecvTag:
			switch {
			case !known:
				say("a tag that is not known")
			case n.rank.Library != nil && int64(number) == n.rank.Library.AnyTag && preposition == "from":
				say("any tag")
			default:
				say("tag %d", number)
			}
		case mpi.RRoot:
			if known {
				say("root %d", number)
			}
		case mpi.RComm:
			name := j.constant(t, role)
			if name == "" && n.call != nil {
				name = n.members()
			}
			if name != "" {
				say("%s", name)
			} else {
				say("a communicator that is not known")
			}
		}
	}
	if count, known := j.argument(t, mpi.RCount).Int(); known {
		if name := j.constant(t, mpi.RType); name != "" {
			out = append(out, finding.Plain(fmt.Sprintf("%d × %s", count, name)))
		}
	}
	return finding.JoinPhrases(out, ", ")
}
