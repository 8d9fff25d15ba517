package shmem

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"unknot/internal/shmem/layout"
	"unknot/internal/vocab/finding"
)

// Deadlock is PEs that wait forever.
type Deadlock struct {
	Core   []Waiting // those that wait for each other, and those that have ended and are waited for, in order
	Others []Waiting // those that wait for these
}

// Waiting is a PE that waits, or has ended.
type Waiting struct {
	PE, PID int
	Site    *Site          // of the call that it waits in, or by which it has ended; nil if it did not call that
	Over    bool           // it has ended
	Died    *Cause         // of what, if that was its own doing
	In      *layout.Record // Enter, Waits or Locking; nil if it has ended
	For     []int          // whom it waits for
	Object  Object         // the lock, or the value
	Taken   *Site          // where the lock was taken; nil if that is not known
}

// Finding is that of the deadlock.
func (d *Deadlock) Finding() finding.Finding {
	f := manifest(finding.SHMEMDeadlock)
	f.Ranks, f.Places = []int{}, []finding.Place{}
	var parts []string
	for i := range d.Core {
		w := &d.Core[i]
		f.Ranks = append(f.Ranks, w.PE)
		f.Places = append(f.Places, w.place())
		parts = append(parts, w.said())
	}
	for i := range d.Others {
		f.Others = append(f.Others, d.Others[i].place())
	}
	f.Sentence = "Deadlock: " + listed(parts) + "."
	f.Hint = d.remedy()
	return f
}

// place is the part of the PE.
func (w *Waiting) place() finding.Place {
	if w.Over && w.Site == nil {
		return finding.Place{Rank: w.PE, State: "finished", Call: "exit", WaitsFor: []int{}}
	}
	if w.Over {
		return w.Site.place(w.PE, "finished")
	}
	place := w.Site.place(w.PE, "blocked")
	place.WaitsFor = w.For
	place.Any = w.In.Kind == layout.Waits && len(place.WaitsFor) > 1
	place.Meaning.Lock = w.In.Kind == layout.Locking
	place.Reason = w.reason()
	place.PID = w.PID
	return place
}

// reason is what the PE waits for.
func (w *Waiting) reason() string {
	switch w.In.Kind {
	case layout.Enter:
		return fmt.Sprintf("%s to come to %s", pes(w.For), w.Site.Call)
	case layout.Locking:
		lock := w.Object.lock()
		switch {
		case w.Taken == nil:
			return lock
		case w.For[0] == w.PE:
			return fmt.Sprintf("%s that it has taken itself at %s", lock, w.Taken.at())
		}
		return fmt.Sprintf("%s that PE %d has taken at %s", lock, w.For[0], w.Taken.at())
	}
	return fmt.Sprintf("a value of %s that is %s", &w.Object, comparison(w.In))
}

// said is what the PE is at, in a sentence.
func (w *Waiting) said() string {
	switch {
	case w.Died != nil:
		return fmt.Sprintf("PE %d %s", w.PE, w.Died.words().Text)
	case w.Over:
		return fmt.Sprintf("PE %d has ended", w.PE)
	}
	text := fmt.Sprintf("PE %d waits in %s (%s) for ", w.PE, w.Site.Call, w.Site.at())
	switch w.In.Kind {
	case layout.Enter:
		return text + pes(w.For)
	case layout.Waits:
		return text + w.reason() + ", which no PE can put any more"
	}
	return text + w.reason()
}

// comparison says which values end a wait.
func comparison(w *layout.Record) string {
	names := [...]string{"EQ", "NE", "GT", "LE", "LT", "GE"}
	words := [...]string{"", "not ", "greater than ", "at most ", "less than ", "at least "}
	value := fmt.Sprint(signed(w.Value, w.Size))
	if int(w.Flags) >= len(names) {
		return value
	}
	return fmt.Sprintf("%s%s (SHMEM_CMP_%s)", words[w.Flags], value, names[w.Flags])
}

// signed is a value of so many bytes.
func signed(v uint64, bytes uint32) int64 {
	shift := 64 - 8*min(max(bytes, 1), 8)
	return int64(v<<shift) >> shift
}

// pes names PEs.
func pes(list []int) string {
	if len(list) == 1 {
		return fmt.Sprintf("PE %d", list[0])
	}
	return "PEs " + strings.TrimPrefix(finding.Ranks(list).Text, "ranks ")
}

// listed joins parts of a sentence that are long. Of very many, only some are listed.
func listed(parts []string) string {
	const most = 6
	if n := len(parts) - most; n > 1 {
		parts = append(slices.Clip(parts[:most]), fmt.Sprintf("%d more PEs wait in the same way", n))
	}
	return finding.JoinLong(parts)
}

// remedy says what to do.
func (d *Deadlock) remedy() string {
	var kinds []uint8
	for i := range d.Core {
		w := &d.Core[i]
		if w.Died != nil {
			return fmt.Sprintf("the other PEs cannot continue without PE %d; fix this first", w.PE)
		}
		if w.In != nil {
			kinds = append(kinds, w.In.Kind)
		}
	}
	slices.SortFunc(kinds, cmp.Compare)
	switch kinds = slices.Compact(kinds); {
	case slices.Equal(kinds, []uint8{layout.Locking}):
		return "take the locks in the same order on all PEs, and give each back before the next wait"
	case slices.Equal(kinds, []uint8{layout.Waits}):
		return "let one of the PEs put its value before it waits"
	case slices.Equal(kinds, []uint8{layout.Enter}):
		return "let all members of the active sets call the same collectives in the same order"
	}
	return "let the PEs put values and give locks back before they wait in a collective that others do not come to"
}
