package leaks

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// ResourceGrowth is about objects that a program creates again and again without freeing any, while it runs.
const ResourceGrowth finding.Code = "resource-growth"

// Objects that need a context of the MPI library are few: MPICH has some 2,000 for communicators, windows and files
// together. Of others programs may well have thousands, in a table that they free in the end.
const (
	manyContexts = 1024
	manyOthers   = 1 << 16
)

// many is from how many objects of a kind on the live ones of one call are looked at.
func many(kind mpi.Object) int {
	switch kind {
	case mpi.OComm, mpi.OWin, mpi.OFile:
		return manyContexts
	}
	return manyOthers
}

// NeedsContext says whether a call creates an object that takes a context of the MPI library.
func NeedsContext(f *mpi.Func) bool {
	return f.Makes(mpi.OComm) >= 0 && f.Class == mpi.CommCreate || f.Makes(mpi.OWin) >= 0 || f.Class == mpi.FileOpen
}

func growthChecker() check.Checker {
	return check.Checker{
		Name: "growth", Family: check.Leaks, Watch: watchGrowth,
		Codes: []finding.Doc{{
			Code: ResourceGrowth, Title: "one call creates more and more objects, and none is freed",
			Severity: finding.Warning, Since: finding.Version01,
			Means: "While the program runs, 1,024 communicators, windows or files that one call has created are not " +
				"freed, or 65,536 datatypes, groups or other objects. MPI libraries limit the number of " +
				"communicators, and windows and files use communicators, too: MPICH allows about 2,000 at a time. If " +
				"a rank ends in a call that creates one more, or such a call returns an error, it is an error.",
			Why: "An object is created in each step or for each message, and never freed, or kept in a list that " +
				"only grows.",
			Fix: "Free the object at the end of the step, or create it once and use it again. Use tags, not " +
				"communicators, to tell many messages apart.",
		}},
	}
}

// growth is from how many live objects of a kind on a rank's are counted again. Grown are the places of calls that were
// reported.
type growth struct {
	next  [mpi.NumObjects]int
	grown map[objects.Made]bool
}

// watchGrowth counts the live objects of a rank by the calls that created them, whenever there are half as many again.
// A loop that creates and does not free is not left out where calls repeat: each time it gets other handles.
func watchGrowth(h *check.Hooks) {
	ranks := check.SlotOf[growth](h)
	h.Exit(func(f *mpi.Func) func(*check.Call) {
		var kinds []mpi.Object
		for k := range mpi.NumObjects {
			if kind := mpi.Object(k); counted(kind) && f.Makes(kind) >= 0 {
				kinds = append(kinds, kind)
			}
		}
		if len(kinds) == 0 {
			return nil
		}
		return func(c *check.Call) {
			for _, kind := range kinds {
				n := c.Rank.Number(kind)
				if n < many(kind) {
					continue
				}
				g := ranks.Of(c.Rank)
				if n < g.next[kind] {
					continue
				}
				g.next[kind] = n + n/2
				g.look(c, kind)
			}
		}
	})
}

// counted says whether a kind's objects are counted: of messages, requests and sessions other checks tell.
func counted(kind mpi.Object) bool {
	switch kind {
	case mpi.OComm, mpi.OWin, mpi.OFile, mpi.OType, mpi.OGroup, mpi.OOp, mpi.OInfo, mpi.OKeyval, mpi.OErrhandler:
		return true
	}
	return false
}

// look reports the calls of which most live objects are.
func (g *growth) look(c *check.Call, kind mpi.Object) {
	if !c.Rank.Sure() {
		return
	}
	for made, n := range Live(c.Rank, kind) {
		if !Grows(kind, n) || g.grown[place(made)] {
			continue
		}
		objects.Set(&g.grown, place(made), true)
		c.SayAt(ResourceGrowth, made, func() check.Words {
			w := check.Words{
				Sentence: finding.Wordf("Rank %d has %s of this %s that it has not freed, and creates more.",
					c.Rank.World, check.Counted(n, kind.String()), made.Func.Name),
				Hint: "free each with " + kind.Free() + " when it is no longer needed, or create it once"}
			if many(kind) == manyContexts {
				w.Notes = append(w.Notes,
					finding.Remarkf("MPI libraries limit their number: MPICH to about 2000, of communicators, "+
						"windows and files together"))
			}
			return w
		})
	}
}

// Grows says whether so many live objects of one call are reported as growth.
func Grows(kind mpi.Object, n int) bool { return n >= many(kind)*3/4 }

// Live are the live objects of a kind of a rank that the program has to free, counted by the calls that created them.
func Live(r *check.Rank, kind mpi.Object) map[objects.Made]int {
	live := make(map[objects.Made]int)
	for o := range r.All(kind) {
		if owed(o) {
			live[o.Made]++
		}
	}
	return together(live)
}
