package reports

import (
	"slices"
	"strings"

	"unknot/internal/say/explain/upc"
	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// checked is the finding of a program's own checks.
func (l *line) checked() finding.Finding {
	f := finding.Finding{Code: l.Code, Severity: l.Severity, Standing: finding.Manifest,
		Language: finding.UPC, Check: l.ID,
		Sentence: l.Sentence, Hint: l.Hint,
		Ranks: []int{}, Places: []finding.Place{}, Count: 1}
	fault := l.atFault()
	for i := range l.Threads {
		p := l.place(&l.Threads[i])
		if fault[p.Rank] {
			f.Ranks = append(f.Ranks, p.Rank)
			f.Places = append(f.Places, p)
		} else {
			f.Others = append(f.Others, p)
		}
	}
	slices.Sort(f.Ranks)
	f.Notes = append(f.Notes, upc.Declared(l.declarations())...)
	if l.Unchecked != "" {
		f.Notes = append(f.Notes, upc.Unchecked(l.Unchecked))
	}
	return f
}

// atFault are the threads that the finding is about: those of the chain of locks if there is one, those that the
// sentence names if it does not name all, else all that are at something.
func (l *line) atFault() map[int]bool {
	fault := map[int]bool{}
	for _, e := range l.Edges {
		fault[e.From], fault[e.To] = true, true
	}
	valued, named := false, false
	for _, t := range l.Threads {
		valued, named = valued || t.Value != "", named || t.Named
	}
	for _, t := range l.Threads {
		switch {
		case len(l.Edges) > 0:
		case named:
			fault[t.Thread] = t.Named
		case valued:
			fault[t.Thread] = t.Value != ""
		default:
			fault[t.Thread] = t.State != "running" || len(l.Threads) == 1
		}
	}
	if len(fault) == 0 || !slices.ContainsFunc(l.Threads, func(t thread) bool { return fault[t.Thread] }) {
		for _, t := range l.Threads {
			fault[t.Thread] = true
		}
	}
	return fault
}

func (l *line) place(t *thread) finding.Place {
	p := finding.Place{Rank: t.Thread, State: stateOf(t.State), Call: t.Operation, Frame: t.frame(), WaitsFor: []int{}}
	if rest, ok := strings.CutPrefix(t.Call, t.Operation); ok {
		p.SetArgs(finding.Plain(strings.TrimSpace(rest)))
		p.Meaning.Written = strings.HasPrefix(p.Args, "(")
	}
	if t.Argument != "" || t.Text != "" {
		p.Argument = &finding.Argument{Name: t.Argument, Text: t.Text, Value: t.Value, Declared: t.Declared}
	}
	l.waits(t, &p)
	if t.Thread == l.By && len(l.Calls) > 0 {
		p.Stack = append(p.Stack, p.Frame)
		for _, c := range l.Calls {
			p.Stack = append(p.Stack, c.frame())
		}
	}
	return p
}

// waits says whom a thread waits for, and why.
func (l *line) waits(t *thread, p *finding.Place) {
	for _, e := range l.Edges {
		if e.From != t.Thread {
			continue
		}
		p.WaitsFor = []int{e.To}
		switch e.Why {
		case "lock":
			p.Meaning.Lock = true
			lock := upc.Lock{Name: e.Lock, Holder: e.To}
			if e.Since != nil {
				lock.Taken = &finding.Frame{File: e.Since.File, Line: e.Since.Line}
			}
			p.Reason = lock.Reason()
		case "ahead":
			p.Reason = upc.Nearer(e.To)
		}
		return
	}
	if t.State != layout.InOperation || l.Code == finding.UPCSingleValued || l.Code == finding.UPCRace {
		return
	}
	// In a collective operation: for all that have ended or are at another one.
	for i := range l.Threads {
		o := &l.Threads[i]
		if o.Thread != t.Thread && stateOf(o.State) != "running" && phase(o.Operation) != phase(t.Operation) {
			p.WaitsFor = append(p.WaitsFor, o.Thread)
		}
	}
	slices.Sort(p.WaitsFor)
}

// phase names what an operation takes part in: upc_barrier, upc_notify and upc_wait may meet each other.
func phase(operation string) string {
	if operation == "upc_notify" || operation == "upc_wait" {
		return "upc_barrier"
	}
	return operation
}

// stateOf is the state of a place for what a thread of the program calls it.
func stateOf(state string) string {
	for _, d := range layout.Doings() {
		if d.Words == state {
			return d.State
		}
	}
	return "running"
}

// declarations says where the variables in arguments and locks are declared, each once.
func (l *line) declarations() []string {
	var all []string
	note := func(s string) {
		if s != "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	for _, d := range l.Declarations {
		note(d)
	}
	for _, t := range l.Threads {
		note(t.Declared)
	}
	for _, e := range l.Edges {
		note(e.Declared)
	}
	return all
}

func (p *place) frame() finding.Frame {
	return finding.Frame{Function: p.Function, File: upc.Located(p.File), Line: p.Line}
}
