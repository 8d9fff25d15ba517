package explain

import (
	"fmt"
	"path/filepath"
	"syscall"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// Death makes a finding of a death.
func Death(d *message.Death) finding.Finding {
	f := finding.Finding{Code: finding.RankDied, Severity: finding.Error, Standing: finding.Manifest, Count: 1,
		Ranks: []int{int(d.Rank)}, Places: []finding.Place{d.Place}, Notes: deathNotes(d),
		Hint: "the other ranks cannot continue without it; fix this first"}
	switch {
	case d.Kind != ring.DeathExit || d.Signal != 0 || d.Class != "" || d.Ending:
	case d.Sessions && d.Code&0xff == 0:
		f.Hint = "call MPI_Session_finalize for each session before the process ends"
	case d.Sessions, d.Said != nil, d.Except != nil:
	case d.Code&0xff == 0:
		f.Hint = "call MPI_Finalize on every path to the end of the program"
	default:
		f.Hint = "to give up, call MPI_Abort, which ends all ranks; the others cannot continue without this one"
	}
	f.Say(finding.Wordf("Rank %s.", deathInWords(d)))
	return f
}

// deathInWords says how the rank ended, and in which call: "1 ended with exit status 14 …, in MPI_Recv at main
// (a.c:12)".
func deathInWords(d *message.Death) finding.Wording {
	return finding.Wordf("%d %s%s%s", d.Rank, cause(d), exitedAt(d), lastCall(d))
}

// exitedAt says where a rank has ended itself without a signal.
func exitedAt(d *message.Death) (at finding.Wording) {
	if d.Kind == ring.DeathExit && d.Signal == 0 && d.Fault != (finding.Frame{}) {
		at = finding.Wordf(", at %s", d.Fault.Worded())
	}
	return at
}

// lastCall says in which call a rank ended, or after which.
func lastCall(d *message.Death) (last finding.Wording) {
	if p := &d.Place; p.Call != "" {
		in := "after"
		if d.Within {
			in = "in"
		}
		last = finding.Wordf(", %s %s at %s", in, p.Call, p.Worded())
		if d.Kind == ring.DeathAbort && p.Call == "MPI_Abort" {
			last = finding.Wordf(", at %s", p.Worded())
		}
	}
	return last
}

// cause says what ended a rank.
func cause(d *message.Death) finding.Wording {
	switch d.Kind {
	case ring.DeathSignal:
		return finding.BySignal(syscall.Signal(d.Code), d.Fault)
	case ring.DeathExit:
		status := d.Code & 0xff // of what was given to exit, a parent gets to see the low byte
		if d.Signal != 0 {
			return finding.Wordf("%s; its handler exited with status %d", finding.BySignal(syscall.Signal(d.Signal),
				d.Fault), status)
		}
		if d.Ending {
			return finding.Wordf("ended with exit status %d before MPI_Finalize returned", status)
		}
		if d.Sessions {
			return finding.Wordf("ended with exit status %d with a session that it has not finalised", status)
		}
		if d.Class != "" {
			return finding.Wordf("was ended by its MPI library with %s (exit status %d)", d.Class, status)
		}
		return finding.ByExit(int(status), "MPI_Finalize")
	case ring.DeathAbort:
		return finding.Wordf("called MPI_Abort with code %d", d.Code)
	}
	return finding.Unseen()
}

// perhapsAborted says of a rank that was killed in a call what may have been the reason.
const perhapsAborted = "if its MPI library has printed an error, it has given up in this call, and the launcher has " +
	"killed the rank"

// deathNotes are the notes on an exception, and on sessions that should have been finalised.
func deathNotes(d *message.Death) []finding.Note {
	notes := append(raised(d.Except), said(d)...)
	if d.Kind == ring.DeathNone && d.Within {
		notes = append(notes, finding.Remark(perhapsAborted))
	}
	if d.Kind == ring.DeathExit {
		for _, at := range d.Begun {
			notes = append(notes, finding.Remarkf("the session was begun by MPI_Session_init at %s", at.Where()))
		}
	}
	return notes
}

// said is the note on what a runtime said of the end.
func said(d *message.Death) []finding.Note {
	switch s := d.Said; {
	case s == nil:
	case s.How == ring.SaidException && d.Kind == ring.DeathSignal:
		return finding.Remarks("an uncaught C++ exception: " + typed(s))
	case s.How == ring.SaidException:
		return finding.Remarks("it was handling a C++ exception: " + typed(s))
	case s.How == ring.SaidRuntime:
		return finding.Remarks("the Fortran runtime's message: " + s.Text)
	default:
		return finding.Remarks("the C library's message: " + s.Text)
	}
	return nil
}

// typed names a C++ exception.
func typed(s *message.Said) string {
	if s.Text == "" {
		return s.Kind
	}
	return s.Kind + ": " + s.Text
}

// raised are the notes on an exception.
func raised(e *message.Exception) []finding.Note {
	if e == nil {
		return nil
	}
	return finding.Remarks(exception(e).Text)
}

// exception names a Python exception that was not caught.
func exception(e *message.Exception) finding.Wording {
	text := finding.Wordf("an uncaught %s", e.Kind)
	if e.File != "" {
		text = finding.Wordf("%s at %s:%d", text, filepath.Base(e.File), e.Line)
	}
	if e.Text != "" {
		text = finding.Wordf("%s%s", text, finding.Detail(": "+e.Text))
	}
	return text
}

// Behind tells of the death of a rank for which the members of a story wait.
func (s *Story) Behind(end *message.Death) finding.Finding {
	return s.behind(end.Rank, end.Place, finding.Wordf("%s%s", cause(end), exitedAt(end)), deathNotes(end))
}

// BehindException tells of a rank for which the members of a story wait, and which an exception has brought to its end.
func (s *Story) BehindException(d *message.Described) finding.Finding {
	return s.behind(d.Key.Rank, d.Place, finding.Wordf("ended with %s", exception(d.Shape.Except)), nil)
}

func (s *Story) behind(rank op.Rank, at finding.Place, cause finding.Wording, notes []finding.Note) finding.Finding {
	s.Witness = nil
	f := s.Finding()
	f.Others = append(f.Places, f.Others...)
	f.Code, f.Ranks, f.Places = finding.RankDied, []int{int(rank)}, []finding.Place{at}
	f.Say(finding.Wordf("Rank %d %s, and %s %s for it.", rank, cause, finding.Ranks(s.list()),
		inflect(s.ranks(), "waits", "wait")))
	f.Hint = "fix the cause of its death; in Python, run with `python3 -m mpi4py` so that an uncaught exception ends " +
		"the whole job"
	if at.Call != "MPI_Finalize" {
		f.Hint = "fix the cause of its death first; the other ranks only wait for it"
	}
	f.Notes = append(notes, f.Notes...)
	return f
}

// Of a rank that could not tell how it ended it is not known who killed it. Where an error explains its death, that is
// rather the launcher than the kernel for want of memory: launchers kill ranks when the library of one has given up.

// DiedIn says that a rank died in a call that is wrong.
func DiedIn(d *message.Death) string {
	if d.Kind == ring.DeathNone {
		return fmt.Sprintf("rank %d died in this call: it was killed without notice%s", d.Rank, asLaunchersDo)
	}
	return fmt.Sprintf("rank %d died in this call: it %s", d.Rank, cause(d))
}

// DiedAfter says that a rank died because of a wrong call.
func DiedAfter(d *message.Death) string {
	if d.Kind == ring.DeathNone {
		return fmt.Sprintf("after this, rank %d was killed without notice%s%s", d.Rank, lastCall(d), asLaunchersDo)
	}
	return "after this, rank " + deathInWords(d).Text
}

const asLaunchersDo = ", as launchers do when an MPI library has given up"

// DiedTogether says that a rank died at the same moment as the one that a finding is about.
func DiedTogether(d *message.Death) string {
	return fmt.Sprintf("rank %d died at the same moment, also without notice; which of them died first is uncertain",
		d.Rank)
}

// StuckBehind says which ranks do not return from a call because of an error, and what becomes of the job.
func StuckBehind(ranks []op.Rank, call string, left bool) string {
	verb := "does not return"
	if len(ranks) > 1 {
		verb = "do not return"
	}
	what := "unknot ended the job"
	if left {
		what = "the job is kept as it is"
	}
	return fmt.Sprintf("because of this, %s %s from %s: %s", finding.Ranks(ranks), verb, call, what)
}

// StuckToTheEnd says the same of a job that has ended since.
func StuckToTheEnd(ranks []op.Rank, call string) string {
	return fmt.Sprintf("because of this, %s did not return from %s before the job ended", finding.Ranks(ranks), call)
}
