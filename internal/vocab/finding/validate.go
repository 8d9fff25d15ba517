package finding

import (
	"fmt"
	"slices"
)

// States are the values of Place.State.
func States() []string {
	return []string{"blocked", "returned", "called", "polling", "finished", "died", "running"}
}

// EventStates are the values of Event.State.
func EventStates() []string { return []string{"done", "blocked"} }

// Validate says what is wrong with a document that came from outside or from a faulty analysis: the first rule of the
// schema that it breaks, with the field's path and its value. Codes that this version does not know are accepted, since
// a newer unknot may have written them.
func (run *Run) Validate() error {
	switch {
	case run.Schema != Schema:
		return fmt.Errorf("schema is %q, expected %q; hint: read it with the version of unknot that wrote it",
			run.Schema, Schema)
	case run.Ranks < 0:
		return fmt.Errorf("ranks is %d, expected 0 or more", run.Ranks)
	case run.Seconds < 0:
		return fmt.Errorf("seconds is %g, expected 0 or more", run.Seconds)
	}
	if run.History != nil {
		if err := run.History.validate(run.Ranks); err != nil {
			return fmt.Errorf("history.%w", err)
		}
	}
	if run.Glimpse != nil {
		if err := run.Glimpse.validate(run.Ranks); err != nil {
			return fmt.Errorf("glimpse.%w", err)
		}
	}
	for i := range run.Topologies {
		if err := run.Topologies[i].validate(run.Ranks); err != nil {
			return fmt.Errorf("topologies[%d].%w", i, err)
		}
	}
	if err := run.Claim.validate(); err != nil {
		return err
	}
	if run.Coverage != nil {
		if err := run.Coverage.validate(); err != nil {
			return err
		}
	}
	for i := range run.Findings {
		if err := run.Findings[i].validate(run.Ranks); err != nil {
			return fmt.Errorf("findings[%d].%w", i, err)
		}
	}
	return nil
}

func (f *Finding) validate(world int) error {
	switch {
	case f.Code == "":
		return fmt.Errorf("code is empty")
	case !slices.Contains([]Severity{Error, Warning, Info}, f.Severity):
		return fmt.Errorf("severity is %q, expected error, warning or info", f.Severity)
	case !slices.Contains([]string{"", High, Medium}, f.Confidence):
		return fmt.Errorf("confidence is %q, expected high or medium", f.Confidence)
	case !slices.Contains([]Standing{Manifest, Confirmed, Predicted}, f.Standing):
		return fmt.Errorf("standing is %q, expected manifest, confirmed or predicted", f.Standing)
	case f.Sentence == "":
		return fmt.Errorf("sentence is empty")
	case f.Count < 1:
		return fmt.Errorf("count is %d, expected 1 or more", f.Count)
	case !slices.Contains([]string{"", New, Unchanged}, f.Baseline):
		return fmt.Errorf("baseline is %q, expected new or unchanged", f.Baseline)
	}
	for i, r := range f.Ranks {
		if i > 0 && f.Ranks[i-1] >= r {
			return fmt.Errorf("ranks[%d] is %d after %d, expected ascending order", i, r, f.Ranks[i-1])
		}
		if r < 0 || r >= world {
			return fmt.Errorf("ranks[%d] is %d, expected 0 to %d", i, r, world-1)
		}
	}
	for _, list := range []struct {
		name   string
		places []Place
	}{{"places", f.Places}, {"others", f.Others}} {
		for i := range list.places {
			if err := list.places[i].validate(world); err != nil {
				return fmt.Errorf("%s[%d].%w", list.name, i, err)
			}
		}
	}
	if f.Story != nil {
		if err := f.Story.validate(world); err != nil {
			return fmt.Errorf("story.%w", err)
		}
	}
	for i := range f.Timeline {
		if err := f.Timeline[i].validate(world); err != nil {
			return fmt.Errorf("timeline[%d].%w", i, err)
		}
	}
	if f.Meeting != nil {
		if err := f.Meeting.validate(world); err != nil {
			return fmt.Errorf("meeting.%w", err)
		}
	}
	return nil
}

func (p *Place) validate(world int) error {
	switch {
	case p.Rank != NoRank && (p.Rank < 0 || p.Rank >= world):
		return fmt.Errorf("rank is %d, expected 0 to %d", p.Rank, world-1)
	case p.Thread < 0:
		return fmt.Errorf("thread is %d, expected 0 or more", p.Thread)
	case p.Nth < 0:
		return fmt.Errorf("nth is %d, expected 0 or more", p.Nth)
	case !slices.Contains(States(), p.State):
		return fmt.Errorf("state is %q, expected one of %v", p.State, States())
	}
	for i, r := range p.Alike {
		if r < 0 || r >= world {
			return fmt.Errorf("alike[%d] is %d, expected 0 to %d", i, r, world-1)
		}
	}
	for i, r := range p.WaitsFor {
		if r < 0 || r >= world {
			return fmt.Errorf("waits_for[%d] is %d, expected 0 to %d", i, r, world-1)
		}
	}
	if s := p.Stay; s != nil {
		switch {
		case s.Seconds < 0:
			return fmt.Errorf("stay.seconds is %g, expected 0 or more", s.Seconds)
		case !slices.Contains(Processes(), s.Process):
			return fmt.Errorf("stay.process is %q, expected one of %v", s.Process, Processes()[1:])
		}
	}
	for i, e := range p.Last {
		if !slices.Contains(EventStates(), e.State) {
			return fmt.Errorf("last[%d].state is %q, expected one of %v", i, e.State, EventStates())
		}
	}
	return nil
}
