package reported

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The page has a row for each program, with its grade by each library, and a count of the grades before the rows. What
// stands between the two marks is written by the test.
const (
	page  = "../../../../docs/reported.md"
	begin = "<!-- grades -->\n"
	end   = "<!-- end of grades -->\n"
)

// readPage reads the grades by program and library.
func readPage() (map[string]Grade, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	grades := make(map[string]Grade)
	_, rows, _ := strings.Cut(string(text), begin)
	for line := range strings.Lines(rows) {
		cells := strings.Split(line, " | ")
		if len(cells) != 5 || !strings.HasPrefix(line, "| `") {
			continue
		}
		name := strings.Trim(cells[0], "| `")
		for i, mpi := range []string{"openmpi", "mpich"} {
			if g := Grade(strings.Trim(cells[3+i], "| \n")); order(g) >= 0 {
				grades[name+"/"+mpi] = g
			}
		}
	}
	return grades, nil
}

// writePage writes the rows of all programs.
func writePage(programs []*Program, grades map[string]Grade) error {
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s: no %q and %q", page, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	var rows strings.Builder
	count := make(map[Grade]int)
	for _, p := range programs {
		name := strings.TrimPrefix(p.Path, "programs/")
		var cells []string
		for _, mpi := range []string{"openmpi", "mpich"} {
			g := grades[name+"/"+mpi]
			if g == "" {
				g = "–"
			} else {
				count[g]++
			}
			cells = append(cells, string(g))
		}
		wants := []string{}
		for _, w := range p.Wants {
			if code := "`" + w.Code + "`"; !slices.Contains(wants, code) {
				wants = append(wants, code)
			}
		}
		if !p.Broken {
			wants = []string{"nothing"}
		}
		fmt.Fprintf(&rows, "| `%s` | %s | %s | %s | %s |\n", name, strings.ReplaceAll(p.Reported, "|", "/"),
			strings.Join(wants, ", "), cells[0], cells[1])
	}
	head := fmt.Sprintf("\n%d programs (%d broken). Grades over both libraries: %d good, %d weak, %d missed, "+
		"%d false.\n\n"+
		"| program | reported | expected | Open MPI | MPICH |\n|---|---|---|---|---|\n",
		len(programs), broken(programs), count[Good], count[Weak], count[Missed], count[False])
	return os.WriteFile(filepath.Clean(page), []byte(before+begin+head+rows.String()+end+after), 0o644)
}

func broken(programs []*Program) (n int) {
	for _, p := range programs {
		if p.Broken {
			n++
		}
	}
	return n
}
