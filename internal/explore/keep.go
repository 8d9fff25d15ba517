package explore

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"unknot/internal/finding"
	"unknot/internal/report"
)

// save writes the findings where the state is, and notes the command that makes them happen again, if a run was forced to show one.
func (x *explorer) save(f *finding.Run) error {
	n := 0
	for i := range f.Findings {
		if s := f.Findings[i].Story; s != nil && f.Findings[i].Standing == finding.Confirmed {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	path := filepath.Join(x.o.Dir, "findings.json")
	text := "to make it happen again: unknot replay "
	if n > 1 {
		text = fmt.Sprintf("to make one of them happen again: unknot replay --nth 1 (to %d) ", n)
	}
	f.Notes = append(f.Notes, text+report.ShellLine(slices.Concat([]string{path}, x.o.Argv)))
	return report.WriteFile(path, func(w io.Writer) error { return report.JSON(w, f) })
}
