package message

import (
	"slices"

	"unknot/internal/check/messages"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Misuse is a wrong use as the root hears of it.
type Misuse struct {
	Finding finding.Finding
	Param   int
	Scope   Scope
	Pair    bool // it is about two calls: the related one makes it another finding
}

// Pair is data that one call gives and another expects, and that do not fit.
type Pair struct {
	Code            finding.Code
	Give, Take      *waitstate.Origin
	Starts          []*waitstate.Origin // calls that start persistent requests; Give and Take are those that made them
	Given, Expected datatype.Content
	Call            string // the collective; "" for a message
	Via             messages.Via
	Fields          messages.Fields
	Scope           Scope
	Early           messages.Early // of a ready send that was started before its receive was posted
	// of whom else a receive from any source may have got the message: too long, too, and those that fit
	Long, Fit []op.Rank
}

// Outside are calls of one function at one place that processes made while MPI was not initialised, or of a further
// initialisation.
type Outside struct {
	Code      finding.Code
	When      string // "before" MPI is initialised, "after" its end, "again", or "beside" another thread's
	Function  string
	Frees     mpi.Object    // what the function frees; no object if it frees nothing
	Finalized finding.Frame // where a rank that called it has finalised MPI, if that is known
	Count     int
	Places    []finding.Place // by rank, which of a process that no rank is known of is finding.NoRank
}

// Lost is a message that nobody has received, and how many like it the same call has sent.
type Lost struct {
	Send     *waitstate.Origin
	Src, Dst op.Rank
	Ctx      op.CommID
	Tag      int32
	Bytes    int64 // -1 if that is not known
	Count    int
}

// Race is a receive from any source that several messages could have met.
type Race struct {
	Place finding.Place // of the receive
	Recv  *mpi.Func
	Sends []*waitstate.Origin
	Apart messages.Apart
	Asked bool // the user asked for races
}

// Scope is what calls belong to: the contexts of their communicators, windows and files.
type Scope struct {
	Contexts   []op.CommID
	Collective bool      // they are collective calls
	Peers      []op.Rank // with which the call of a rank that died exchanges messages
}

// Meets says whether two scopes have a context in common.
func (s Scope) Meets(o Scope) bool {
	return slices.ContainsFunc(s.Contexts, func(c op.CommID) bool { return slices.Contains(o.Contexts, c) })
}

// Misfit is the Pair of a message and the receive that it does not fit.
func Misfit(m *waitstate.Misfit, table *mpi.T) *Pair {
	p := &Pair{Give: m.Send.About(), Take: m.Recv.About(), Given: m.Sent, Expected: m.Room,
		Scope: Scope{Contexts: []op.CommID{m.Ctx}}, Long: m.Long, Fit: m.Fit}
	if m.Early {
		p.Early = messages.Early{Send: named(table, p.Give), Recv: named(table, p.Take)}
	}
	for _, c := range []waitstate.Calls{m.Send, m.Recv} {
		if c.Init != nil {
			p.Starts = append(p.Starts, c.Here)
		}
	}
	return p
}

// via is how data goes between members that differ, by the shape that says it (waitstate.Uneven).
var via = map[waitstate.Shape]messages.Via{waitstate.FromRoot: messages.FromRoot, waitstate.ToRoot: messages.ToRoot}

// Uneven is the Pair of a collective whose members do not agree.
func Uneven(u *waitstate.Uneven, table *mpi.T) *Pair {
	p := &Pair{Give: u.Give, Take: u.Take, Given: u.Given, Expected: u.Expected, Call: "a collective call",
		Via:   via[u.Via],
		Scope: Scope{Contexts: []op.CommID{u.Ctx}, Collective: true}}
	if name := named(table, u.Give); name != "" {
		p.Call = name
	}
	return p
}

// named is the name of the function that is called.
func named(table *mpi.T, o *waitstate.Origin) string {
	if f := table.ByID(o.Fn); f != nil {
		return f.Name
	}
	return ""
}
