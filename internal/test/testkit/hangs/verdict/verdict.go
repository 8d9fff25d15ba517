// Package verdict runs generated hangs three ways (`unknot run`; recorded, then `unknot attach`; plain, then `unknot
// attach`) and compares what the reports say with what is true of the programs.
package verdict

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"unknot/internal/test/testkit/hangs"
	"unknot/internal/vocab/finding"
)

// Way is how a program is run.
type Way string

// The ways.
const (
	Watched  Way = "run"
	Recorded Way = "record, attach"
	Plain    Way = "attach"
)

// Ways are all of them.
var Ways = []Way{Watched, Recorded, Plain}

// Word is what a report says of a job.
type Word string

// The words, from the one that says most. A report that says several things has the first of them.
const (
	Proved  Word = "proved"  // an error: ranks wait forever
	Library Word = "library" // stalled-in-library
	Likely  Word = "likely"  // deadlock-likely
	Where   Word = "where"   // where each rank is
	Moving  Word = "moving"  // ranks come out of calls
	Nothing Word = "nothing"
)

// Verdict is what a report says.
type Verdict struct {
	Word
	Codes []string
	Core  []int // ranks of the errors, ascending; of Likely those of the warning
	Dead  []int // Core, and the ranks that cannot continue because of it
	False []string
}

func (v Verdict) String() string {
	return fmt.Sprintf("%s %s core %v dead %v", v.Word, strings.Join(v.Codes, "+"), v.Core, v.Dead)
}

// Same says whether two verdicts say the same of the same ranks.
func (v Verdict) Same(o Verdict) bool {
	return v.Word == o.Word && slices.Equal(v.Codes, o.Codes) && slices.Equal(v.Core, o.Core)
}

// read is the verdict of a report in a file about a program, Nothing if there is none yet.
func read(file string, p *hangs.Program) Verdict {
	var run finding.Run
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &run) != nil {
		return Verdict{Word: Nothing} // it is being written
	}
	return Of(&run, p)
}

// Of is the verdict of a report about a program.
func Of(run *finding.Run, p *hangs.Program) Verdict {
	v := Verdict{Word: Nothing}
	if g := run.Glimpse; g != nil && len(g.Moving) > 0 {
		v.Word = Moving
	}
	for i := range run.Findings {
		v.add(&run.Findings[i], p)
	}
	for _, list := range []*[]int{&v.Core, &v.Dead} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	slices.Sort(v.Codes)
	v.Codes = slices.Compact(v.Codes)
	return v
}

// add takes in a finding.
func (v *Verdict) add(f *finding.Finding, p *hangs.Program) {
	word := map[finding.Code]Word{finding.StalledInLibrary: Library, finding.DeadlockLikely: Likely, finding.Stall: Where,
		finding.Interrupted: Where}[f.Code]
	if f.Severity == finding.Error {
		word = Proved
	}
	if word == "" {
		return // of something else, such as a thread level
	}
	order := []Word{Proved, Library, Likely, Where, Moving, Nothing}
	if slices.Index(order, word) < slices.Index(order, v.Word) {
		*v = Verdict{Word: word, False: v.False}
	}
	if word != v.Word {
		return
	}
	v.Codes = append(v.Codes, string(f.Code))
	if word == Proved || word == Likely {
		v.Core = append(v.Core, f.Ranks...)
		v.Dead = append(v.Dead, f.Ranks...)
		for i := range f.Others {
			v.Dead = append(v.Dead, f.Others[i].Rank)
			v.Dead = append(v.Dead, f.Others[i].Alike...)
		}
	}
	v.False = append(v.False, untrue(f, word, p)...)
}

// untrue is what a finding says that is not true.
func untrue(f *finding.Finding, word Word, p *hangs.Program) (list []string) {
	if word == Library {
		return []string{"the library is blamed: " + f.Sentence}
	}
	if word != Proved {
		return nil
	}
	for _, places := range [][]finding.Place{f.Places, f.Others} {
		for i := range places {
			place := &places[i]
			t := truth(p, place)
			switch {
			case t == nil: // of a helper, or said by way of Alike
			case t.State != hangs.Deadlocked:
				list = append(list, fmt.Sprintf("rank %d %s, and is said to wait forever", place.Rank, t.State))
			case place.Call != "" && t.Function != place.Call && place.State == "blocked":
				list = append(list, fmt.Sprintf("rank %d is in %s, and not in %s", place.Rank, t.Function, place.Call))
			case place.Line != 0 && strings.HasSuffix(place.File, p.File()) && place.Line != t.Line && place.State == "blocked":
				list = append(list, fmt.Sprintf("rank %d is at line %d, and not at %d", place.Rank, t.Line, place.Line))
			}
		}
	}
	for _, r := range f.Ranks {
		if !slices.ContainsFunc(p.Truths, func(t hangs.Truth) bool { return t.Rank == r && t.State == hangs.Deadlocked }) {
			list = append(list, fmt.Sprintf("rank %d can continue", r))
		}
	}
	return list
}

// truth is what is true of a place: of the thread of its number, or of the one that is in its call.
func truth(p *hangs.Program, place *finding.Place) (found *hangs.Truth) {
	for i := range p.Truths {
		t := &p.Truths[i]
		if t.Rank == place.Rank && (found == nil || t.Line == place.Line || t.Function == place.Call && found.Line != place.Line) {
			found = t
		}
	}
	return found
}
