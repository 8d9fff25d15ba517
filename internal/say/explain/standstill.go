package explain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// Standstill is where all ranks are, in a job in which nobody gets on or that is being ended from outside.
type Standstill struct {
	Story
	Signal string        // that ends the run; "" if nobody gets on
	Over   *int          // the status with which the job has ended by itself, nil if it has not
	Still  time.Duration // for which nobody has
	Size   int           // of the job
	Absent []op.Rank     // ranks that have not initialised MPI
	// Unwatched are ranks whose agents were lost.
	Unwatched []op.Rank
	Left      int // threads outside of MPI that were not looked at
	// Watched is set if the ranks were looked at from outside; Ended are then those whose processes are gone, or of a job
	// that is over those that had finished.
	Watched *Attached
	Ended   []op.Rank
}

// Finding says where they are. A job whose ranks all compute is nothing to tell of, unless it is being ended.
func (s *Standstill) Finding() (f finding.Finding, tells bool) {
	f = finding.Finding{Code: finding.Stall, Severity: finding.Info, Standing: finding.Manifest, Count: 1}
	if s.past() {
		f.Code = finding.Interrupted
	} else if s.computes() {
		return f, false
	}
	s.Code = f.Code
	for i := range s.Members {
		s.Members[i].aim()
	}
	for i := range s.Members {
		m := &s.Members[i]
		f.Places = append(f.Places, s.spot(m))
		f.Ranks = append(f.Ranks, int(m.Described.Key.Rank))
		for r := range s.Alike[m.Described.Key].All() {
			f.Ranks = append(f.Ranks, int(r))
		}
	}
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	f.Say(s.opening(s.clauses()))
	if len(s.Absent) > 0 {
		f.Notes = append(f.Notes, finding.Remarkf("%s %s not initialised MPI", finding.Ranks(s.Absent),
			inflect(len(s.Absent), "has", "have")))
	}
	if n := s.idling(); n.Text != "" {
		f.Notes = append(f.Notes, n)
	}
	if s.Left > 0 {
		f.Notes = append(f.Notes, finding.Remarkf("%s outside of MPI were not looked at",
			finding.Counted(s.Left, "more thread", "more threads")))
	}
	switch {
	case s.Watched != nil:
		f.Notes = append(f.Notes, s.Watched.notes()...)
	case !s.past():
		f.Notes = append(f.Notes,
			finding.Remark("the job continues; --stall=D sets the time after which this is printed, --stall=0 "+
				"turns it off"))
	}
	return f, true
}

// idling is a note of ranks outside of MPI that have called all that others wait for; without text if there are none.
func (s *Standstill) idling() finding.Note {
	var waiting, idle []op.Rank
	for i := range s.Members {
		if m := &s.Members[i]; len(m.Idlers) > 0 {
			waiting, idle = append(waiting, m.Described.Key.Rank), append(idle, m.Idlers...)
		}
	}
	if len(idle) == 0 {
		return finding.Note{}
	}
	slices.Sort(idle)
	idle = slices.Compact(idle)
	waiting = s.withAlike(slices.Compact(waiting))
	return finding.Remarkf("what %s %s for has been called on both sides; the MPI library need not complete it before %s "+
		"%s MPI again (MPI-4.1, 2.9)", finding.Ranks(waiting), s.wait(len(waiting)), finding.Ranks(idle),
		inflect(len(idle), "calls", "call"))
}

// opening is the sentence: what has happened, and then where the ranks are.
func (s *Standstill) opening(clauses []finding.Wording) finding.Wording {
	all := finding.Joined(clauses, "; ")
	if s.Over != nil {
		return finding.Wordf("The job has ended with status %d: %s.", *s.Over, all)
	}
	if s.Signal != "" {
		return finding.Wordf("When %s ended the run, %s.", s.Signal, all)
	}
	if s.Watched != nil {
		return finding.Wordf("In %s no rank has %s: %s.", finding.Lasting(s.Watched.Seconds), s.Watched.done(), all)
	}
	return finding.Wordf("No rank has completed an MPI call for %s: %s.", finding.Lasting(s.Still.Seconds()), all)
}

// past says whether the job is over.
func (s *Standstill) past() bool { return s.Signal != "" || s.Over != nil }

// computes says whether all ranks are outside of MPI and use a processor.
func (s *Standstill) computes() bool {
	return !slices.ContainsFunc(s.Members, func(m Member) bool {
		stay := m.Described.Place.Stay
		return stay == nil || !stay.Outside || stay.Process != "running" && stay.Others == 0
	})
}

// spot is the place of a thread, with what it waits for.
func (s *Standstill) spot(m *Member) finding.Place {
	if !m.waits() {
		m.Peers, m.Needs = nil, nil
	}
	p := s.place(m)
	if stay := p.Stay; stay != nil && stay.Outside {
		p.Call = "outside MPI"
		words := ""
		if s.Over == nil {
			words = Doing(stay)
		}
		if stay.After != "" {
			if words != "" {
				words += "; "
			}
			words += "its last call was " + stay.After
			if stay.AfterAt != nil && stay.AfterAt.Where() != "" {
				words += " at " + stay.AfterAt.Where()
			}
		}
		p.SetArgs(finding.Plain(words))
	} else if stay != nil && stay.Process != "" {
		p.SetReason(finding.Plain("its process to continue: " + Doing(stay)))
	} else if target, aimed := m.target(); aimed {
		p.SetReason(finding.Naming("", target, ", whose window it accesses, to call MPI"))
	}
	return p
}

// target is the rank whose window a thread wants to lock though nobody holds a lock on it: the library may need that
// rank to make a call of MPI, which it has not to (MPI-4.0, 12.7.3).
func (m *Member) target() (r op.Rank, aimed bool) {
	if !m.waits() || len(m.Needs) != 1 {
		return 0, false
	}
	n := &m.Needs[0]
	return n.Rank, n.Kind == waitstate.NeedUnlock && len(n.Ranks) == 0 && n.Rank >= 0 && n.Rank != m.Described.Key.Rank
}

// aim has a thread wait for that rank.
func (m *Member) aim() {
	if r, aimed := m.target(); aimed {
		m.Peers = []op.Rank{r}
	}
}

// waits says whether a thread is in a call of MPI, as far as it was still there when it was looked at.
func (m *Member) waits() bool {
	switch m.Described.Place.State {
	case "blocked", "polling":
		return m.State == message.Blocked || m.State == message.Polling
	}
	return false
}

// held says whether the kernel keeps the process in its call.
func (m *Member) held() bool {
	stay := m.Described.Place.Stay
	return stay != nil && !stay.Outside && stay.Process != ""
}

// clauses say who waits for whom, or where the ranks are if nobody waits for others.
func (s *Standstill) clauses() []finding.Wording {
	awaited, waiting := make(map[op.Rank]bool), make(map[op.Rank]bool)
	var waiters []op.Rank
	for i := range s.Members {
		m := &s.Members[i]
		if !m.waits() || m.held() || !slices.ContainsFunc(m.Peers, func(r op.Rank) bool { return r != m.Described.Key.Rank }) {
			continue // for nobody else: a message to itself, a file
		}
		waiting[m.Described.Key.Rank] = true
		waiters = append(waiters, m.Described.Key.Rank)
		for _, r := range m.Peers {
			awaited[r] = true
		}
	}
	waiters = s.withAlike(slices.Compact(waiters))
	for _, r := range waiters {
		waiting[r] = true
	}
	var roots []finding.Wording // what those are at who wait for nobody
	var first *clause
	var groups []*clause
	for r := range op.Rank(s.Size) {
		if waiting[r] || len(waiters) > 0 && !awaited[r] {
			continue
		}
		c := s.clauseOf(r)
		if at := slices.IndexFunc(groups, func(g *clause) bool { return g.key == c.key }); at >= 0 {
			g := groups[at]
			g.ranks, g.least, g.most = append(g.ranks, r), min(g.least, c.least), max(g.most, c.most)
			continue
		}
		groups = append(groups, &c)
	}
	if len(groups) > 0 {
		first = groups[0]
	}
	const most = 3
	more := 0
	for i, g := range groups {
		if i >= most {
			more += len(g.ranks)
			continue
		}
		roots = append(roots, g.words(len(waiters) > 0))
	}
	if more > 0 {
		roots = append(roots, finding.Counted(more, "more rank elsewhere", "more ranks elsewhere"))
	}
	switch {
	case len(waiters) == 0:
		return roots
	case first == nil: // they wait for each other, and may not have been seen to do so for long enough
		return []finding.Wording{finding.Wordf("%s %s for others that wait as well", finding.Ranks(waiters),
			s.wait(len(waiters)))}
	}
	return []finding.Wording{finding.Wordf("%s %s for %s", finding.Ranks(waiters), s.wait(len(waiters)),
		finding.JoinedAnd(roots))}
}

// wait is the verb for so many ranks: in the past if the run is over.
func (s *Standstill) wait(n int) finding.Wording {
	if s.past() {
		return finding.Wordf("waited")
	}
	return inflect(n, "waits", "wait")
}

// clause is what some ranks are at.
type clause struct {
	key         string
	ranks       []op.Rank
	is          finding.Wording // "has been in MPI_Recv at main (a.c:3)", for one rank
	are         finding.Wording // for several
	doing       string          // what they do there outside of MPI, "" if they run
	least, most float64         // seconds; negative if there is nothing to say of time
}

func (c *clause) words(relative bool) finding.Wording {
	what := c.is
	if len(c.ranks) > 1 {
		what = c.are
	}
	comma := ""
	if relative {
		comma = ", which"
	}
	w := finding.Wordf("%s%s %s", finding.Ranks(c.ranks), comma, what)
	if c.least >= 0 {
		w = finding.Wordf("%s for %s", w, finding.Lasting(c.most))
	}
	if c.doing != "" {
		w = finding.Wordf("%s (%s)", w, c.doing)
	}
	return w
}

// clauseOf says what a rank is at: its first thread that is described.
func (s *Standstill) clauseOf(r op.Rank) clause {
	had, have := "has been", "have been"
	if s.past() {
		had, have = "had been", "had been"
	}
	if slices.Contains(s.Absent, r) {
		return clause{key: "absent", ranks: []op.Rank{r}, is: finding.Wordf("has not initialised MPI"),
			are: finding.Wordf("have not initialised MPI"), least: -1}
	}
	if s.Watched != nil || s.Over != nil {
		switch {
		case slices.Contains(s.Ended, r):
			return clause{key: "over", ranks: []op.Rank{r}, is: finding.Wordf("has ended"),
				are: finding.Wordf("have ended"), least: -1}
		case slices.Contains(s.Unwatched, r):
			return clause{key: "unseen", ranks: []op.Rank{r}, is: finding.Wordf("was not looked at"),
				are: finding.Wordf("were not looked at"), least: -1}
		}
	}
	if slices.Contains(s.Unwatched, r) {
		c := clause{key: "unwatched", ranks: []op.Rank{r}, is: finding.Wordf("is no longer watched"),
			are: finding.Wordf("are no longer watched"), least: -1}
		if s.past() {
			c.is, c.are = finding.Wordf("was no longer watched"), finding.Wordf("were no longer watched")
		}
		return c
	}
	for i := range s.Members {
		m := &s.Members[i]
		k := m.Described.Key
		if k.Rank != r && !s.Alike[k].Has(r) {
			continue
		}
		p := &m.Described.Place
		if p.State == "died" || p.State == "finished" && p.Stay == nil {
			return clause{key: "over", ranks: []op.Rank{r}, is: finding.Wordf("has ended"),
				are: finding.Wordf("have ended"), least: -1}
		}
		if s.Watched != nil { // when it came there is not known
			had, have = "is", "are"
		}
		c := clause{ranks: []op.Rank{r}, least: p.Stay.Seconds, most: p.Stay.Seconds}
		if p.Stay.Least {
			c.least = -1
		}
		what, at := finding.Wordf(" in %s", p.Call), finding.Wording{}
		if where := p.Frame.Worded(); where.Text != "" {
			at = finding.Wordf(" at %s", where)
		}
		if c.doing = Doing(p.Stay); c.doing == "runs" {
			c.doing = ""
		}
		if p.Stay.Outside {
			what, at = at, finding.Wordf(" outside MPI")
		}
		c.key = what.Text + at.Text + c.doing
		c.is, c.are = finding.Wordf("%s%s%s", had, what, at), finding.Wordf("%s%s%s", have, what, at)
		c.are.Form = c.is.Form
		return c
	}
	return clause{key: "elsewhere", ranks: []op.Rank{r}, is: finding.Wordf("%s elsewhere", had),
		are: finding.Wordf("%s elsewhere", have), least: -1}
}

// Doing says what a thread outside of MPI does, or one in a call that the kernel has stopped.
func Doing(s *finding.Stay) string {
	words := ""
	switch s.Process {
	case "running":
		words = "runs"
	case "stopped":
		words = "stopped by a signal"
	case "traced":
		words = "stopped by a debugger"
	case "uninterruptible":
		words = "in an uninterruptible sleep"
		if s.SystemCall != "" {
			words += " in " + s.SystemCall + about(s.On)
		}
	case "asleep":
		words = asleep(s)
	}
	if s.Others > 0 && s.Process != "running" && words != "" {
		words += ", while " + finding.Count(s.Others, "other thread of its process runs",
			"other threads of its process run")
	}
	return words
}

// asleep says what a thread waits for that sleeps outside of MPI.
func asleep(s *finding.Stay) string {
	in := s.In
	if in == "" {
		in = s.SystemCall
	}
	switch s.SystemCall {
	case "":
		if in != "" {
			return "waits in " + in
		}
		return "asleep"
	case "futex":
		if s.In == "" {
			return "waits for another thread or process: a lock, a barrier, a condition"
		}
		return "waits in " + s.In
	case "nanosleep", "clock_nanosleep":
		return "sleeps in " + in
	case "flock", "fcntl":
		return "waits in " + in + " for a lock on" + about(s.On)
	case "wait4", "waitid":
		return "waits in " + in + " for a child process"
	case "poll", "ppoll", "select", "pselect", "epoll_wait", "epoll_pwait":
		return "waits for events in " + in
	}
	if of := about(s.On); of != "" {
		return "waits in " + in + " for" + of
	}
	return "waits in " + in
}

// about says what a system call is about, with a space before it.
func about(on string) string {
	switch {
	case on == "":
		return ""
	case strings.HasPrefix(on, "pipe:"):
		return " a pipe"
	case strings.HasPrefix(on, "socket:"):
		return " a socket"
	case strings.HasPrefix(on, "/dev/pts/"), on == "/dev/tty":
		return " the terminal"
	}
	return fmt.Sprintf(" %s", on)
}
