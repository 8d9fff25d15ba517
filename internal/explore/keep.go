package explore

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// save writes the findings where the state is, and notes the command that makes them happen again, if there is one that
// a run has shown and that depends on what MPI chooses.
func (x *explorer) save(f *finding.Run) error {
	n, shown := 0, false
	for i := range f.Findings {
		if g := &f.Findings[i]; g.Story != nil {
			n++
			shown = shown || g.Standing != finding.Predicted
		}
	}
	if !shown {
		return nil
	}
	path := filepath.Join(x.o.Dir, "findings.json")
	text := "to reproduce it: unknot replay "
	if n > 1 {
		text = fmt.Sprintf("to reproduce one of them: unknot replay --nth 1 (to %d) ", n)
	}
	f.Notes = append(f.Notes, text+report.ShellLine(slices.Concat([]string{path}, x.o.Argv)))
	return report.WriteFile(path, func(w io.Writer) error { return report.JSON(w, f) })
}
