package races

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"unknot/internal/model/race"
	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// findings makes the findings of a job's races.
func (j *job) findings(p *program) (list []finding.Finding) {
	for _, x := range j.detector.Races() {
		list = append(list, j.finding(p, &x))
	}
	return list
}

// finding says what a race is.
func (j *job) finding(p *program, r *race.Race) finding.Finding {
	what, declared := j.object(p, r)
	a, b := j.party(p, &r.First, what), j.party(p, &r.Second, what)
	f := finding.Finding{Code: finding.UPCRace, Severity: finding.Error, Standing: finding.Manifest,
		Language: finding.UPC,
		Count:    r.Count,
		Ranks:    ranks(a.rank, b.rank), Places: []finding.Place{a.place(), b.place()}}
	if a.rank > b.rank {
		f.Places[0], f.Places[1] = f.Places[1], f.Places[0]
	}
	owned := fmt.Sprintf("`%s`, which thread %d owns", what, r.Owner)
	if what == "" {
		owned = fmt.Sprintf("memory that thread %d owns", r.Owner)
	}
	f.Sentence = fmt.Sprintf("Data race on %s: thread %d %s it at %s and thread %d %s it at %s, and nothing orders "+
		"the two accesses.", owned,
		a.rank, a.verb, a.at, b.rank, b.verb, b.at)
	if a.rank == b.rank {
		f.Sentence = fmt.Sprintf("Data race on %s: thread %d %s it at %s and %s it at %s, and nothing between "+
			"orders the two.", owned, a.rank, a.verb, a.at, b.verb, b.at)
	}
	if r.Standing == race.Predicted {
		f.Standing, f.Severity = finding.Predicted, finding.Warning
		f.Sentence = fmt.Sprintf("Possible data race on %s: thread %d %s it at %s and thread %d %s it at %s, and "+
			"only the order in which the threads took a lock "+
			"kept the two accesses apart.", owned, a.rank, a.verb, a.at, b.rank, b.verb, b.at)
	}
	f.Hint = j.hint(p, r)
	// only threads can be held, and those of one host
	if r.First.Thread != r.Second.Thread && !r.First.Task && !r.Second.Task && !j.apart {
		f.Meeting = &finding.Meeting{Sites: [2]uint32{uint32(r.First.Site), uint32(r.Second.Site)}, Owner: int(r.Owner),
			Start: r.Start, End: r.End}
	}
	if declared != "" {
		f.Notes = append(f.Notes, finding.Remark(declared))
	}
	if x := j.around[sites{r.First.Site, r.Second.Site}]; x != nil {
		f.Timeline = timeline(p.lineOf(&x.first, &a), p.lineOf(&x.second, &b))
		if epoch := p.epoch(&x.first, &x.second); epoch != "" {
			f.Notes = append(f.Notes, finding.Note{Label: finding.Epoch, Text: epoch})
		}
	}
	return f
}

// hint says what is missing between the accesses.
func (j *job) hint(p *program, r *race.Race) string {
	a, b := len(r.First.Locks) > 0, len(r.Second.Locks) > 0
	switch collective := p.collective(r); {
	case j.frees[r.First.Site] || j.frees[r.Second.Site]:
		return "free it when all threads are done with it, after a upc_barrier"
	case strings.HasSuffix(collective, "_async"):
		return "complete it by upc_all_fwait_async before its memory is accessed again"
	case collective != "":
		return "pass UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC to " + collective +
			", or put a upc_barrier between the two accesses"
	case r.First.Task || r.Second.Task:
		return "complete the transfer, by upc_sync or upc_synci, before its memory is accessed again"
	case r.First.Thread == r.Second.Thread:
		return "order the two accesses"
	case a && b:
		return "the two threads hold different locks; guard both accesses with the same lock"
	case a || b:
		return "only one of the threads holds a lock; take the same lock around both accesses"
	case r.First.Strict || r.Second.Strict:
		return "declare all accesses to a flag strict, or put a upc_barrier between the two"
	}
	return "put a upc_barrier between the two accesses, or guard both with the same lock"
}

// collective is the collective function whose flags let the race happen, or "".
func (p *program) collective(r *race.Race) string {
	for _, x := range []*race.Party{&r.First, &r.Second} {
		if name, _, call := strings.Cut(p.sites[uint32(x.Site)].Text, "("); call &&
			strings.HasPrefix(name, "upc_all_") {
			return name
		}
	}
	return ""
}

// object names what a race is about, as the program does, and says where it comes from.
func (j *job) object(p *program, r *race.Race) (name, declared string) {
	if o := p.object(r.Start); o != nil {
		return element(o, int(r.Owner), len(j.threads), r.Start), fmt.Sprintf("%s is declared at %s:%d", o.Object,
			filepath.Base(o.File), o.Line)
	}
	name = p.expression(r)
	for _, b := range j.blocks {
		if r.Start < b.offset || r.Start >= b.offset+b.bytes || !b.all && b.owner != uint16(r.Owner) {
			continue
		}
		if s, ok := p.sites[b.site]; ok {
			declared = fmt.Sprintf("the memory was allocated by %s at %s:%d; the access is to byte %d of "+
				"thread %d's part", s.Text, filepath.Base(s.File), s.Line,
				r.Start-b.offset, r.Owner)
		}
	}
	return name, declared
}

// expression is how one of the sides names what it accesses, or "" if both call functions for it.
func (p *program) expression(r *race.Race) string {
	for _, x := range []*race.Party{&r.First, &r.Second} {
		if text := p.sites[uint32(x.Site)].Text; !strings.HasPrefix(text, "upc_") && !strings.HasPrefix(text, "bupc_") {
			return text
		}
	}
	return ""
}

// party is one side of a race.
type party struct {
	rank           int
	verb, call, at string
	site           layout.SiteText
	args           string
}

func (j *job) party(p *program, x *race.Party, what string) party {
	s := p.sites[uint32(x.Site)]
	v := party{rank: int(x.Thread), verb: "reads", call: "read", site: s, at: "an unknown place", args: "of " + s.Text}
	switch {
	case j.frees[x.Site]:
		v.verb, v.call = "frees", "free"
	case j.locks[x.Site]:
		v.verb, v.call = "takes", "lock"
	case x.Kind != race.Read && x.Kind != race.AtomicRead:
		v.verb, v.call = "writes", "write"
	}
	if v.calls() {
		v.args = "by " + s.Text
	}
	if s.File != "" {
		v.at = fmt.Sprintf("%s:%d:%d", filepath.Base(s.File), s.Line, s.Column)
	}
	if s.Text != "" && s.Text != what {
		v.at = fmt.Sprintf("`%s` (%s)", s.Text, v.at)
	}
	return v
}

// calls says whether the party accesses memory by a function of UPC.
func (v *party) calls() bool {
	return strings.Contains(v.site.Text, "(") && strings.HasPrefix(v.site.Text, "upc_")
}

// did says what a party does, in a time line.
func (v *party) did() string {
	text := v.site.Text
	if v.calls() || text == "" {
		return strings.TrimSpace(text + " " + v.verb + " it")
	}
	return v.verb + " " + text
}

// place is the row of a party in the table of threads.
func (v party) place() finding.Place {
	p := finding.Place{Rank: v.rank, State: "called", Call: v.call, WaitsFor: []int{},
		Frame: finding.Frame{Function: v.site.Function, File: located(v.site.File), Line: v.site.Line}}
	p.SetArgs(finding.Plain(v.args))
	return p
}

func ranks(a, b int) []int {
	if a == b {
		return []int{a}
	}
	return []int{min(a, b), max(a, b)}
}

// located makes a file's name absolute where the file is there: the compiler has it as it stood in the command line.
func located(file string) string {
	if file == "" || filepath.IsAbs(file) {
		return file
	}
	if full, err := filepath.Abs(file); err == nil {
		if _, err := os.Stat(full); err == nil {
			return full
		}
	}
	return file
}
