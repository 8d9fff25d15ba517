package objects

import (
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Comm is a communicator of a rank.
type Comm struct {
	Handle  uint64
	ID      op.CommID // the same at all members; 0 if it is not known
	Rank    int       // of the process, in its own group
	Members op.Ranks  // world ranks of the rank's own group
	Remote  op.Ranks  // of the other group, of an intercommunicator
	Inter   bool
	Foreign bool // it has members outside of MPI_COMM_WORLD: its messages and collectives are not followed
	Member  *waitstate.Member
	Name    string // set by the program, or predefined
	Derivation
	Topology mpi.Topology
	Freed    bool
	// Describe names it for a reader.
	Describe func() finding.Wording

	groups map[uint64]uint64 // creations by a group, by group and tag
	inits  uint64            // persistent collectives made
	peers  []op.Rank         // Peers one by one, where these make many runs
}

// Derivation is how a communicator was made, and of what.
type Derivation struct {
	Parent  *Comm  // that it was made from
	Grouped bool   // it was made of a group, by MPI_Comm_create_from_group, and has no parent
	Tag     string // that the program gave that call
	How     string // "split", "duplicate", …
	Private bool   // mpi4py made it, for its lower-case collective calls on Parent
	Made    Made
	Since   uint32   // stamp of the call that has made it
	making  *Request // that has to be complete before it may be used; nil if there is none
	makes   uint64   // its handle
}

// MadeBy takes in that the communicator may be used once the request with a handle is complete (MPI-4.0, 7.4.2).
func (c *Comm) MadeBy(handle uint64, q *Request) { c.makes, c.making = handle, q }

// Making is the request that has to be completed before a communicator may be used; nil if there is none, or it is not
// certain that it is not complete.
func (r *Rank) Making(c *Comm) *Request {
	q := c.making
	if q == nil || q.Shared || q.Seen || r.Requests.Get(c.makes) != q {
		return nil
	}
	return q
}

// Size is the number of processes in the rank's own group.
func (c *Comm) Size() int { return c.Members.Len() }

// Peers are the world ranks that can be a source, destination or root (MPI-4.0, 3.2.3, 6.2).
func (c *Comm) Peers() op.Ranks {
	if c.Inter {
		return c.Remote
	}
	return c.Members
}

// World is the world rank of a rank of the communicator, as source or destination; op.Unknown if it has none.
func (c *Comm) World(r int64) op.Rank {
	peers := c.Peers()
	if len(peers.Runs) == 1 {
		run := &peers.Runs[0]
		if r < 0 || r > int64(run.Last) || int64(run.First)+r*int64(run.Step) > int64(run.Last) {
			return op.Unknown
		}
		return run.First + op.Rank(r)*run.Step
	}
	if len(peers.Runs) > manyRuns {
		if c.peers == nil {
			c.peers = peers.List()
		}
		if r < 0 || r >= int64(len(c.peers)) {
			return op.Unknown
		}
		return c.peers[r]
	}
	if r < 0 || r >= int64(peers.Len()) {
		return op.Unknown
	}
	return peers.At(int(r))
}

// manyRuns is from how many on it is quicker to look a rank up in a list.
const manyRuns = 4

// All are the world ranks of all members, of both sides.
func (c *Comm) All() op.Ranks {
	if len(c.Remote.Runs) == 0 {
		return c.Members
	}
	return c.Members.Then(c.Remote)
}

// NextByGroup counts the creations by a group and a tag, which members of the group alone call (MPI-4.0, 7.4.2).
func (c *Comm) NextByGroup(key uint64) uint64 {
	if c.groups == nil {
		c.groups = make(map[uint64]uint64)
	}
	c.groups[key]++
	return c.groups[key]
}

// NextPersistent counts the persistent collectives that are made on it.
func (c *Comm) NextPersistent() uint64 {
	c.inits++
	return c.inits
}

// Window is what is known of a window for following its synchronisation.
type Window struct {
	ID       op.CommID
	Comm     *Comm
	Member   *waitstate.Member
	Exposed  []op.Rank // group of the last Win_post
	Accessed []op.Rank // group of the last Win_start
	Started  []*waitstate.Part
	Site     uint64
	Moved    int64 // bytes that RMA calls move, since the last fence
	Fenced   bool  // a fence has been called since the last of them
}

// File is what is known of a file for following its collectives.
type File struct {
	ID     op.CommID
	Member *waitstate.Member
	Comm   *Comm
}
