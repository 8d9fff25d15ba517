package report

import (
	"bufio"
	"slices"
	"strings"

	"unknot/internal/vocab/finding"
)

// Retold is the result of a run, in order, with the words that other formats take over from the text for a terminal.
type Retold struct {
	*finding.Run
	names shortNames
}

// Retell puts a result in order.
func Retell(run *finding.Run) *Retold {
	run = normal(run)
	return &Retold{run, namesOf(run)}
}

// Party is the threads that do the same in a finding.
type Party struct {
	Who   string // "ranks 1-15"
	Does  string // "MPI_Recv from rank 0, tag 1, MPI_COMM_WORLD; waits for a message from rank 0"
	At    finding.Frame
	Stack []finding.Frame // of the first of them
}

// Parties are those at fault in a finding of the run, and the others.
func (r *Retold) Parties(f *finding.Finding) (core, others []Party) {
	return r.parties(f.Places, f), r.parties(f.Others, f)
}

func (r *Retold) parties(places []finding.Place, f *finding.Finding) []Party {
	groups := fold(places, r.Ranks, f.Language.Terms())
	out := make([]Party, len(groups))
	for i := range groups {
		g := &groups[i]
		does := []string{spaced(g.first.Call, g.args), g.stateWords()}
		if waits := g.waitWords(); waits != "" && g.first.State != "returned" {
			verb := "waits for "
			if len(g.ranks) > 1 {
				verb = "each waits for "
			}
			does = append(does, verb+waits)
		}
		does = slices.DeleteFunc(does, func(s string) bool { return s == "" })
		out[i] = Party{Who: clean(g.who()), Does: clean(strings.Join(does, "; ")), At: g.first.Frame,
			Stack: g.first.Stack}
	}
	return out
}

// At is a position in words.
func (r *Retold) At(f finding.Frame) string { return clean(r.names.at(f)) }

// Text is a finding as a terminal shows it, without colours.
func (r *Retold) Text(f *finding.Finding) string {
	return r.written(func(t *terminal) { t.finding(f) })
}

// Closing is the line that sums up, with why the run is not complete before it.
func (r *Retold) Closing() string {
	return r.written(func(t *terminal) { t.closing(r.Run) })
}

func (r *Retold) written(write func(*terminal)) string {
	var b strings.Builder
	t := &terminal{out: bufio.NewWriter(&b), opt: TerminalOptions{Width: 100}, names: r.names, world: r.Ranks}
	write(t)
	_ = t.out.Flush() // to memory
	return strings.TrimRight(b.String(), "\n")
}

// Clean makes text of a program safe for one line: control characters and others that cannot be printed are written as
// escapes.
func Clean(s string) string { return clean(s) }

// Who names ranks as the subject of a line.
func Who(in *finding.Terms, ranks []int) string { return label(in, ranks) }
