package place

import (
	"path/filepath"

	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Maker says in a word how a function makes a communicator.
func Maker(f *mpi.Func) string {
	switch {
	case f.Class == mpi.IntercommCreate:
		return "intercommunicator"
	case f.Class != mpi.CommCreate:
		return "subset"
	case f.Duplicates():
		return "duplicate"
	case f.Topology == mpi.Cartesian && f.Suits == mpi.SuitsCartesian:
		return "slice"
	case f.Topology == mpi.Cartesian:
		return "Cartesian topology"
	case f.Topology != mpi.NoTopology:
		return "graph topology"
	case f.Suits == mpi.SuitsInter:
		return "merge"
	case f.Named("color", "split_type") >= 0:
		return "split"
	}
	return "subset"
}

// CommName is what the user knows a communicator by.
func (a *Places) CommName(r *Process, c *objects.Comm) string {
	if c != nil && c.Name != "" {
		return c.Name
	}
	return a.CommWords(r, c).Text
}

// CommWords are its name with its form: that is how it was made, as each rank may give its own another name ("row 1",
// "row 2").
func (a *Places) CommWords(r *Process, c *objects.Comm) finding.Wording {
	what, at := a.commParts(r, c)
	return finding.Wordf("%s%s", what, at)
}

// commParts are what a communicator is, and where it was made.
func (a *Places) commParts(r *Process, c *objects.Comm) (what, at finding.Wording) {
	switch {
	case c == nil:
		return finding.Wordf("a communicator that unknot does not know"), at
	case c.Parent == nil && !c.Grouped && c.Name != "":
		return finding.Wordf("%s", c.Name), at
	case c.Parent == nil && !c.Grouped:
		if c.All().Repeat() {
			return finding.Wordf("a communicator with a process twice"), at
		}
		return finding.Wordf("a communicator of other processes"), at
	}
	if c.Private && c.Name == "" {
		return finding.Wordf("mpi4py's duplicate of %s", a.CommWords(r, c.Parent)), at
	}
	if f := a.Frame(r, c.Made.Site); f.File != "" {
		at = finding.Wordf(" at %s:%d", filepath.Base(f.File), f.Line)
	}
	if c.Grouped {
		what = finding.Wordf("communicator %q", c.Tag)
	} else {
		parent, there := a.commParts(r, c.Parent)
		if there.Text != at.Text { // one line may make several, in a library
			parent = finding.Wordf("%s%s", parent, there)
		}
		what = finding.Wordf("%s of %s", c.How, parent)
	}
	if c.Name != "" {
		what.Text, at.Text = c.Name, ""
	}
	return what, at
}
