package upc

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// Race is two accesses to shared memory that nothing orders.
type Race struct {
	Count, Threads int              // Threads are those of the program
	Accesses       [2]Access        // as they stand in package race
	Owner          int              // the thread that owns the memory
	Start, End     uint64           // of the bytes in its segment
	Ordered        bool             // only the order in which threads took a lock kept the two apart
	Object         *layout.SiteText // the static object that it is in; nil if it is in none
	Block          *Block           // the allocated block that it is in; nil if that is not known
	Around         *Around          // what the threads did before and after; nil if that is not known
	Apart          bool             // the threads are on several hosts
}

// Access is one of the two.
type Access struct {
	Thread int
	Number uint32 // of the site
	Site   layout.SiteText
	Does   Doing
	Task   bool // it continues beside the thread
	Strict bool
	Locked bool // while the thread holds a lock
}

// Doing is what an access does.
type Doing uint8

// What accesses do.
const (
	Reads Doing = iota
	Writes
	Frees
	TakesLock
)

// Block is memory that the program has allocated.
type Block struct {
	Site layout.SiteText
	Byte uint64 // of a thread's part
}

// Finding is that of the race.
func (r *Race) Finding() finding.Finding {
	what, declared := r.object()
	a, b := r.Accesses[0].party(what), r.Accesses[1].party(what)
	f := manifest(finding.UPCRace)
	f.Count, f.Ranks, f.Places = r.Count, ranks(a.Thread, b.Thread), []finding.Place{a.place(), b.place()}
	if a.Thread > b.Thread {
		f.Places[0], f.Places[1] = f.Places[1], f.Places[0]
	}
	owned := fmt.Sprintf("`%s`, which thread %d owns", what, r.Owner)
	if what == "" {
		owned = fmt.Sprintf("memory that thread %d owns", r.Owner)
	}
	f.Sentence = fmt.Sprintf("Data race on %s: thread %d %s it at %s and thread %d %s it at %s, and nothing orders "+
		"the two accesses.", owned,
		a.Thread, a.verb, a.at, b.Thread, b.verb, b.at)
	if a.Thread == b.Thread {
		f.Sentence = fmt.Sprintf("Data race on %s: thread %d %s it at %s and %s it at %s, and nothing between "+
			"orders the two.", owned, a.Thread, a.verb, a.at, b.verb, b.at)
	}
	if r.Ordered {
		f.Standing, f.Severity = finding.Predicted, finding.Warning
		f.Sentence = fmt.Sprintf("Possible data race on %s: thread %d %s it at %s and thread %d %s it at %s, and "+
			"only the order in which the threads took a lock "+
			"kept the two accesses apart.", owned, a.Thread, a.verb, a.at, b.Thread, b.verb, b.at)
	}
	f.Hint = r.hint()
	// only threads can be held, and those of one host
	if a.Thread != b.Thread && !a.Task && !b.Task && !r.Apart {
		f.Meeting = &finding.Meeting{Sites: [2]uint32{a.Number, b.Number}, Owner: r.Owner, Start: r.Start, End: r.End}
	}
	if declared != "" {
		f.Notes = append(f.Notes, finding.Remark(declared))
	}
	if x := r.Around; x != nil {
		f.Timeline = timeline(x.First.moments(&a), x.Second.moments(&b))
		if epoch := x.epoch(); epoch != "" {
			f.Notes = append(f.Notes, finding.Note{Label: finding.Epoch, Text: epoch})
		}
	}
	return f
}

// hint says what is missing between the accesses.
func (r *Race) hint() string {
	a, b := &r.Accesses[0], &r.Accesses[1]
	switch collective := r.collective(); {
	case a.Does == Frees || b.Does == Frees:
		return "free it when all threads are done with it, after a upc_barrier"
	case strings.HasSuffix(collective, "_async"):
		return "complete it by upc_all_fwait_async before its memory is accessed again"
	case collective != "":
		return "pass UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC to " + collective +
			", or put a upc_barrier between the two accesses"
	case a.Task || b.Task:
		return "complete the transfer, by upc_sync or upc_synci, before its memory is accessed again"
	case a.Thread == b.Thread:
		return "order the two accesses"
	case a.Locked && b.Locked:
		return "the two threads hold different locks; guard both accesses with the same lock"
	case a.Locked || b.Locked:
		return "only one of the threads holds a lock; take the same lock around both accesses"
	case a.Strict || b.Strict:
		return "declare all accesses to a flag strict, or put a upc_barrier between the two"
	}
	return "put a upc_barrier between the two accesses, or guard both with the same lock"
}

// collective is the collective function whose flags let the race happen, or "".
func (r *Race) collective() string {
	for i := range r.Accesses {
		if name, _, call := strings.Cut(r.Accesses[i].Site.Text, "("); call &&
			strings.HasPrefix(name, "upc_all_") {
			return name
		}
	}
	return ""
}

// object names what a race is about, as the program does, and says where it comes from.
func (r *Race) object() (name, declared string) {
	if o := r.Object; o != nil {
		return element(o, r.Owner, r.Threads, r.Start), fmt.Sprintf("%s is declared at %s:%d", o.Object,
			filepath.Base(o.File), o.Line)
	}
	if b := r.Block; b != nil {
		declared = fmt.Sprintf("the memory was allocated by %s at %s:%d; the access is to byte %d of "+
			"thread %d's part", b.Site.Text, filepath.Base(b.Site.File), b.Site.Line,
			b.Byte, r.Owner)
	}
	return r.expression(), declared
}

// expression is how one of the sides names what it accesses, or "" if both call functions for it.
func (r *Race) expression() string {
	for i := range r.Accesses {
		if text := r.Accesses[i].Site.Text; !strings.HasPrefix(text, "upc_") && !strings.HasPrefix(text, "bupc_") {
			return text
		}
	}
	return ""
}

// party is an access as the sentences name it.
type party struct {
	*Access
	verb, call, at string
	args           string
}

// party puts an access to something in words.
func (x *Access) party(what string) party {
	s := &x.Site
	v := party{Access: x, at: "an unknown place", args: "of " + s.Text}
	v.verb = [...]string{Reads: "reads", Writes: "writes", Frees: "frees", TakesLock: "takes"}[x.Does]
	v.call = [...]string{Reads: "read", Writes: "write", Frees: "free", TakesLock: "lock"}[x.Does]
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
	return strings.Contains(v.Site.Text, "(") && strings.HasPrefix(v.Site.Text, "upc_")
}

// did says what a party does, in a time line.
func (v *party) did() string {
	text := v.Site.Text
	if v.calls() || text == "" {
		return strings.TrimSpace(text + " " + v.verb + " it")
	}
	return v.verb + " " + text
}

// place is the row of a party in the table of threads.
func (v party) place() finding.Place {
	p := finding.Place{Rank: v.Thread, State: "called", Call: v.call, WaitsFor: []int{},
		Frame: finding.Frame{Function: v.Site.Function, File: Located(v.Site.File), Line: v.Site.Line}}
	p.SetArgs(finding.Plain(v.args))
	return p
}

func ranks(a, b int) []int {
	if a == b {
		return []int{a}
	}
	return []int{min(a, b), max(a, b)}
}

// Located makes a file's name absolute where the file is there: the compiler has it as it stood in the command line.
func Located(file string) string {
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
