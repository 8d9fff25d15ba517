package messages

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

const sameTag finding.Code = "same-tag"

// tagChecker looks for messages of different kinds that nothing but their order tells apart.
func tagChecker() check.Checker {
	return check.Checker{
		Name: "same-tags", Family: check.Style, Off: true, Watch: watchSameTag,
		Codes: []finding.Doc{{
			Code: sameTag, Title: "messages of different kinds use the same tag", Severity: finding.Info,
			Since: finding.Version01,
			Means: "A rank sends another one messages of different datatypes at three or more places of the program, " +
				"on one communicator, and gives them, like everything that it sends, the same tag. The receiver can " +
				"distinguish them only by their order.",
			Why: "The tag is 0 everywhere. That works until a send or receive is moved, removed or made " +
				"non-blocking: then a receive takes an unintended message, which goes unnoticed if it fits.",
			Fix: "Give each kind of message its own named tag. Libraries should use their own communicator " +
				"(MPI_Comm_dup). This check is off unless --check=same-tag is given.",
		}},
	}
}

// tagged is what a rank sends, as long as it has one tag.
type tagged struct {
	any   bool
	mixed bool // more than one tag
	tag   int64
	to    map[channel]*sent
	order []channel
}

// channel is a way from a rank to another one.
type channel struct {
	comm *objects.Comm
	dest int64
}

// sent is what goes there.
type sent struct {
	sites []objects.Made
	types map[*datatype.Type]bool
}

// Bounds of what is looked at, and from when on it is reported.
const (
	maxChannels  = 256
	maxSentSites = 64
	tellSites    = 3
	tellTypes    = 2
)

func watchSameTag(h *check.Hooks) {
	ranks := make(map[*check.Rank]*tagged)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		switch f.Class {
		case mpi.Send, mpi.Isend, mpi.Sendrecv, mpi.Isendrecv, mpi.SendInit, mpi.PsendInit:
		default:
			return nil
		}
		tag, dest, datatype := f.Named("sendtag", "tag"), f.Named("dest"), f.Named("sendtype", "datatype")
		return func(c *check.Call) {
			s := ranks[c.Rank]
			if s == nil {
				s = &tagged{to: make(map[channel]*sent)}
				ranks[c.Rank] = s
			}
			s.send(c, tag, dest, datatype)
		}
	})
	h.Finalize(func(r *check.Rank, c *check.Call) {
		if s := ranks[r]; s != nil && !s.mixed {
			s.tell(r, c)
		}
	})
}

// send takes in that the rank sends something.
func (s *tagged) send(c *check.Call, tag, dest, typ int) {
	t, _ := c.Int(tag)
	to, ok := c.Int(dest)
	kind := c.Rank.Type(c.Handle(typ))
	if s.mixed || !ok || to == c.Rank.Limits.ProcNull || c.Comm == nil || kind == nil {
		return
	}
	if s.any && t != s.tag {
		s.mixed, s.to, s.order = true, nil, nil
		return
	}
	s.any, s.tag = true, t
	at := channel{c.Comm, to}
	x := s.to[at]
	if x == nil {
		if len(s.order) >= maxChannels {
			return
		}
		x = &sent{types: make(map[*datatype.Type]bool)}
		s.to[at] = x
		s.order = append(s.order, at)
	}
	x.add(c.By(), kind)
}

func (x *sent) add(site objects.Made, kind *datatype.Type) {
	for i := range x.sites {
		if x.sites[i] == site {
			return
		}
	}
	if len(x.sites) < maxSentSites {
		x.sites = append(x.sites, site)
		x.types[kind] = true
	}
}

// tell tells of the first receiver that gets messages of several kinds.
func (s *tagged) tell(r *check.Rank, c *check.Call) {
	for _, at := range s.order {
		x := s.to[at]
		if len(x.sites) < tellSites || len(x.types) < tellTypes {
			continue
		}
		c.SayAt(sameTag, x.sites[0], func() check.Words {
			w := check.Words{Sentence: finding.Wordf("Rank %d sends rank %d messages of %d datatypes at %d call "+
				"sites, all with tag %d: only their order distinguishes them.",
				r.World, destination(at.comm, at.dest), len(x.types), len(x.sites), s.tag),
				Hint: "give each kind of message its own tag"}
			for _, site := range x.sites[1:min(len(x.sites), tellSites+1)] {
				w.Related = append(w.Related, check.Related{Text: "another is sent", Func: site.Func, Site: site.Site})
			}
			return w
		})
		return
	}
}

// destination is the world rank of a destination, or the rank itself in another group.
func destination(c *objects.Comm, dest int64) op.Rank {
	if c.Inter || dest < 0 || dest >= int64(c.Size()) {
		return op.Rank(dest)
	}
	return c.Members.At(int(dest))
}
