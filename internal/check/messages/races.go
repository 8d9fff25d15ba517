package messages

import (
	"fmt"

	"unknot/internal/check"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// MessageRace is about receives that several messages could meet.
const MessageRace finding.Code = "message-race"

// raceChecker is the name of the check that finds them.
const raceChecker = "message-races"

// raceCheckers find what may differ from one run to the next. Races are found where messages are matched, and put into
// words by Racing.
func raceCheckers() []check.Checker {
	return []check.Checker{{
		Name: raceChecker, Family: check.Messages, Watch: func(*check.Hooks) {},
		Codes: []finding.Doc{{
			Code: MessageRace, Title: "a receive may match any of several messages", Severity: finding.Info,
			Since: finding.Version01,
			Means: "A receive or probe with MPI_ANY_SOURCE matched a message from one rank, and another rank had " +
				"sent one that also matches: nothing in the program orders them, so in another run the receive may " +
				"match the other one (MPI-4.0, 3.5). Many programs intend this, so the finding is informational " +
				"unless the messages differ in a way that the receiver cannot handle.\n\nIt is a warning if one of " +
				"the messages is what the receive expects and another is not: it has different datatypes, or is too " +
				"long. It is also a warning if the program ignores the status (MPI_STATUS_IGNORE) and the messages " +
				"differ in what only the status shows: their tags, with MPI_ANY_TAG, or their sizes. `unknot " +
				"explore` makes it a warning if the receiver made different calls after another match, apart from " +
				"answering another rank. A probe with MPI_ANY_SOURCE is reported only in that case, as it says whose " +
				"message it has found. So is a receive in a library, [as opposed to your own " +
				"code](run/reporting.md#whose-code-is). `--check=message-race` reports all of them, as warnings.\n\nIt is " +
				"reported only if no chain of messages and collectives could have informed the second sender that the " +
				"receive was complete. Other channels (one-sided access, files, threads of a rank) count as " +
				"such a chain.",
			Why: "Results are collected in the order of arrival. That is right if the program treats them alike, " +
				"whoever sent them, or uses the status. It is wrong if the first message is assumed to be from a " +
				"certain rank, if floating-point sums are expected to be the same in each run, or if a later receive " +
				"with a named source may find its message taken.",
			Fix: "If the order matters, name the source, or give messages of different kinds different tags or " +
				"communicators, and receive each with its own. A receive for messages of several kinds must check " +
				"its status, or follow a probe. If the order does not matter, nothing needs to be done; a " +
				"suppression hides the finding. `unknot explore` runs the program with the other choices.",
		}},
	}, roundingChecker(), tagChecker()}
}

// Sender is a call that sent one of the messages that could meet a receive.
type Sender struct {
	Rank int
	Func *mpi.Func
	At   finding.Frame
}

// Apart are two messages that differ.
type Apart struct {
	waitstate.Difference
	One, Other Rival
	Room       datatype.Content // of the receive
}

// Rival is a message that could meet a receive.
type Rival struct {
	Rank, Tag int
	Content   datatype.Content
}

// words say the difference, and what helps.
func (u *Apart) words(f *mpi.Func) (sentence finding.Wording, hint string) {
	const look = "name the source or the tag, or check the status"
	ignores := fmt.Sprintf("this %s ignores the status, which would distinguish them.", f.Name)
	switch u.Difference {
	case waitstate.Unfit:
		return finding.Wordf(" That from rank %d (%v) does not match the datatypes of the receive (%v).", u.Other.Rank,
				u.Other.Content, u.Room),
			"give messages of different kinds different tags, and receive each with its own"
	case waitstate.TooLong:
		return finding.Wordf(" That from rank %d (%v) is too long for the receive (%v).", u.Other.Rank,
				u.Other.Content, u.Room),
			"make the receive buffer large enough for every message, or probe and then receive the message that the " +
				"probe found, from its source and with its tag"
	case waitstate.TagsDiffer:
		return finding.Wordf(" Their tags differ (%d from rank %d, %d from rank %d), and %s", u.One.Tag, u.One.Rank,
			u.Other.Tag, u.Other.Rank, ignores), look
	case waitstate.SizesDiffer:
		return finding.Wordf(" Their sizes differ (%v from rank %d, %v from rank %d), and %s", u.One.Content,
			u.One.Rank, u.Other.Content, u.Other.Rank, ignores), look
	}
	return finding.Wording{}, ""
}

// Racing says which messages could meet a receive of a rank from any source, and how they differ. The senders are in
// order. If the user asked for races it is always a warning.
func Racing(asked bool, rank int, f *mpi.Func, senders []Sender, apart Apart) check.Words {
	ranks := make([]int, 0, len(senders))
	var calls []string
	by := make(map[string][]int)
	for _, x := range senders {
		if n := len(ranks); n == 0 || ranks[n-1] != x.Rank {
			ranks = append(ranks, x.Rank)
		}
		call := x.Func.Name
		if at := x.At.Where(); at != "" {
			call += " at " + at
		}
		if by[call] == nil {
			calls = append(calls, call)
		}
		by[call] = append(by[call], x.Rank)
	}
	verb := "gets"
	if f.Class == mpi.Probe || f.Class == mpi.Iprobe {
		verb = "sees"
	}
	send := "send a matching one"
	if apart.Difference >= waitstate.TooLong {
		send = "send one"
	}
	w := check.Words{Severity: finding.Info,
		Sentence: finding.Wordf("Which message rank %d %s by this %s from MPI_ANY_SOURCE differs from run to run: %s "+
			"%s, unordered.", rank, verb, f.Name, finding.RanksInOrder(ranks, maxSenders), send)}
	if apart.Difference != waitstate.NoDifference {
		sentence, hint := apart.words(f)
		w.Severity, w.Sentence, w.Hint = finding.Warning, finding.Wordf("%s%s", w.Sentence, sentence), hint
	}
	if asked {
		w.Severity = finding.Warning
	}
	for _, call := range calls {
		w.Notes = append(w.Notes, finding.Note{Label: finding.SentBy + " " + finding.RanksInOrder(by[call],
			maxSenders).Text, Text: call})
	}
	return w
}

// AsksForRaces says whether the user asked for races by their own name.
func AsksForRaces(s check.Selection) bool { return s.Named(raceChecker, MessageRace) }

// maxSenders is how many ranks are named before the rest is counted.
const maxSenders = 12
