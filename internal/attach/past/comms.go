package past

import (
	"fmt"
	"slices"

	"unknot/internal/observe/record"
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// comm is a communicator of a job.
type comm struct {
	trace.Comm
	index   uint32
	entries map[op.Rank]*record.Comm // by members
}

// whole says whether all members have an entry of it: one that some have freed may be used no more.
func (c *comm) whole() bool { return len(c.entries) == len(c.Members)+len(c.Remote) }

// identity is what names a communicator in all records.
type identity struct {
	number  uint64
	members string // as each process has one that is its alone
}

// communicators finds the communicators that ranks have recorded. MPI_COMM_WORLD comes first.
func (j *job) communicators() {
	known := make(map[identity]*comm)
	everybody := make([]op.Rank, len(j.ranks))
	for i := range everybody {
		everybody[i] = op.Rank(i)
	}
	world := &comm{Comm: trace.Comm{Name: "MPI_COMM_WORLD", Members: everybody}, entries: make(map[op.Rank]*record.Comm)}
	j.comms = []*comm{world}
	for _, r := range j.ranks {
		r.comms = make(map[uint32]*comm)
		for i := range r.record.Comms {
			e := &r.record.Comms[i]
			if e.Handle == r.record.Constants.World {
				r.comms[e.Serial], world.entries[r.number] = world, e
				continue
			}
			local, remote := ranksOf(e.Local), ranksOf(e.Remote)
			if e.Identity == 0 || local == nil || e.Kind == record.Inter && remote == nil ||
				e.Kind != record.Intra && e.Kind != record.Inter {
				continue
			}
			all := slices.Sorted(slices.Values(slices.Concat(local, remote)))
			key := identity{e.Identity, fmt.Sprint(all)}
			c := known[key]
			if c == nil {
				c = &comm{Comm: trace.Comm{ID: op.CommID(e.Identity), Name: "a communicator", Members: local, Remote: remote},
					index: uint32(len(j.comms)), entries: make(map[op.Rank]*record.Comm)}
				known[key] = c
				j.comms = append(j.comms, c)
			}
			r.comms[e.Serial], c.entries[r.number] = c, e
		}
	}
}

// ranksOf are the members of a group; nil if they are not known, or of several jobs.
func ranksOf(g record.Group) (list []op.Rank) {
	for _, m := range g.Ranks {
		if m < 0 {
			return nil
		}
		list = append(list, op.Rank(m))
	}
	return list
}

// peer is the rank in MPI_COMM_WORLD of one that a rank names by its place in a communicator; op.Unknown if there is no
// such member.
func (r *rank) peer(c *comm, place int32) op.Rank {
	k := &r.record.Constants
	members := c.Peers(r.number)
	switch {
	case place == k.AnySource:
		return op.AnySource
	case place == k.ProcNull:
		return op.ProcNull
	case place >= 0 && int(place) < len(members):
		return members[place]
	}
	return op.Unknown
}

// channel is the count of messages of a rank with another one.
func (r *rank) channel(c *comm, peer op.Rank, tag int32) record.Channel {
	e := c.entries[r.number]
	place := slices.Index(c.Peers(r.number), peer)
	if e == nil || place < 0 {
		return record.Channel{}
	}
	got, _ := r.record.Channel(e.Serial, int32(place), tag)
	return got
}

// only is the one channel whose messages a receive from any source, or with any tag, may have taken; false if there are
// several, or it is not known.
func (r *rank) only(c *comm, p *part) (peer op.Rank, tag int32, ok bool) {
	e := c.entries[r.number]
	n := 0
	for _, ch := range r.record.Channels {
		from := r.peer(c, ch.Peer)
		if ch.Comm == e.Serial && ch.Received > 0 && (p.Peer == op.AnySource || p.Peer == from) &&
			(p.Tag == op.AnyTag || p.Tag == ch.Tag) {
			peer, tag, n = from, ch.Tag, n+1
		}
	}
	return peer, tag, n == 1 && !r.record.Lost.Channels && !r.record.Lost.Receives
}
