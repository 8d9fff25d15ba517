package explain

import (
	"slices"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
)

// swallowed adds which exceptions of Python ranks have raised and caught before the calls of a finding, if not all
// ranks have: such a rank leaves out calls that others make.
func (s *Story) swallowed(f *finding.Finding) {
	var all []*message.Described
	for i := range s.Members {
		all = append(all, s.Members[i].Described)
	}
	for i := range s.Others {
		all = append(all, s.Others[i].Described)
	}
	all = append(all, s.Witness...)
	var said []finding.Note
	for _, d := range all {
		for _, e := range d.Shape.Caught {
			if everywhere(all, e) {
				continue
			}
			at := finding.Frame{File: e.File, Line: e.Line}
			text := finding.Wordf("before this, rank %d raised %s at %s and continued", d.Key.Rank, e.Kind, at.Where())
			if e.Text != "" {
				text = finding.Wordf("%s%s", text, finding.Detail(": "+e.Text))
			}
			if n := finding.Remark(text.Text); !slices.Contains(said, n) && len(said) < 4 {
				said = append(said, n)
			}
		}
	}
	if len(said) == 0 {
		return
	}
	f.Notes = append(said, f.Notes...)
	if ended := slices.ContainsFunc(s.Witness, func(d *message.Described) bool { return len(d.Shape.Caught) > 0 }); ended || s.Clash != nil {
		f.Hint = "after an exception a rank leaves out calls that the others make: handle it on all ranks, or let it " +
			"end the job (`python3 -m mpi4py`)"
	}
}

// everywhere says whether all of these, of which there are several, have caught an exception.
func everywhere(all []*message.Described, e message.Exception) bool {
	return len(all) > 1 && !slices.ContainsFunc(all, func(d *message.Described) bool {
		return !slices.Contains(d.Shape.Caught, e)
	})
}
