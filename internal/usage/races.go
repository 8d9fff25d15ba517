package usage

import (
	"fmt"

	"unknot/internal/datatype"
	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/waitstate"
)

// MessageRace is about receives that several messages could meet.
const MessageRace finding.Code = "message-race"

// raceChecker is the name of the check that finds them.
const raceChecker = "message-races"

// raceCheckers find what may differ from one run to the next. Races are found where messages are matched, and put into words by
// Racing.
func raceCheckers() []Checker {
	return []Checker{{
		Name: raceChecker, Family: Messages, Watch: func(*Hooks) {},
		Codes: []finding.Doc{{
			Code: MessageRace, Title: "which of several messages a receive gets is open", Severity: finding.Info, Since: "0.2",
			Means: "A receive or probe with MPI_ANY_SOURCE got a message of one rank, and another rank had sent one that fits as well: nothing in the program orders the two, so that in another run the receive may get the other (MPI-4.0, 3.5). Many programs want just that, so it is information, unless the messages differ in a way that the receiver cannot deal with.\n\nIt is a warning if one of the messages is what the receive expects and another one is not: it has other datatypes, or is too long. It is a warning, too, if the program ignores the status (MPI_STATUS_IGNORE) and the messages differ in what only the status says: their tags, with MPI_ANY_TAG, or their sizes. `unknot explore` makes it a warning if it has seen that the receiver makes other calls after another match, apart from answering another rank. `--check=message-race` makes all of them warnings.\n\nIt is told only if the second sender could not know that the receive was over, by any chain of messages and collectives from there to here. What goes by other ways (one-sided access, files, threads of a rank) counts as such a chain.",
			Why:   "Results are collected in the order in which they come. That is right if the program does the same with each of them, whoever sent it, or looks at the status. It is wrong if the first message is taken to be of a certain rank, if sums of floating point numbers are expected to be the same in each run, or if a receive with a named source comes later and its message may be gone.",
			Fix:   "If the order matters, name the source, or give messages of different meaning different tags or communicators, and receive each with its own. A receive for messages of several kinds must look at its status, or follow a probe. If it does not, nothing is to be done; a suppression keeps the finding away. `unknot explore` runs the program with the other choices.",
		}},
	}, roundingChecker(), tagChecker()}
}

// Sender is a call that sent one of the messages that could meet a receive.
type Sender struct {
	Rank int
	Func *mpi.Func
	At   string // file and line, or ""
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
func (u *Apart) words(f *mpi.Func) (sentence, hint string) {
	const look = "name the source or the tag, or look at the status"
	ignores := fmt.Sprintf("this %s ignores the status, which would tell them apart.", f.Name)
	switch u.Difference {
	case waitstate.Unfit:
		return fmt.Sprintf(" That of rank %d (%v) does not have the datatypes of the receive (%v).", u.Other.Rank, u.Other.Content, u.Room),
			"give messages of different kinds different tags, and receive each with its own"
	case waitstate.TooLong:
		return fmt.Sprintf(" That of rank %d (%v) is too long for the receive (%v).", u.Other.Rank, u.Other.Content, u.Room),
			"make the receive buffer large enough for each of the messages, or probe before"
	case waitstate.TagsDiffer:
		return fmt.Sprintf(" Their tags differ (%d from rank %d, %d from rank %d), and %s", u.One.Tag, u.One.Rank, u.Other.Tag, u.Other.Rank, ignores), look
	case waitstate.SizesDiffer:
		return fmt.Sprintf(" Their sizes differ (%v from rank %d, %v from rank %d), and %s", u.One.Content, u.One.Rank, u.Other.Content, u.Other.Rank, ignores), look
	}
	return "", ""
}

// Racing says which messages could meet a receive of a rank from any source, and how they differ. The senders are in order.
func Racing(s Selection, rank int, f *mpi.Func, senders []Sender, apart Apart) Words {
	ranks := make([]int, 0, len(senders))
	var calls []string
	by := make(map[string][]int)
	for _, x := range senders {
		if n := len(ranks); n == 0 || ranks[n-1] != x.Rank {
			ranks = append(ranks, x.Rank)
		}
		call := x.Func.Name
		if x.At != "" {
			call += " at " + x.At
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
	send := "send one that fits"
	if apart.Difference >= waitstate.TooLong {
		send = "send one"
	}
	w := Words{Severity: finding.Info, Sentence: fmt.Sprintf("Which message rank %d %s by this %s from MPI_ANY_SOURCE differs from run to run: %s %s, in no order.", rank, verb, f.Name, finding.RanksInOrder(ranks, maxSenders), send)}
	if apart.Difference != waitstate.NoDifference {
		sentence, hint := apart.words(f)
		w.Severity, w.Sentence, w.Hint = finding.Warning, w.Sentence+sentence, hint
	}
	if s.Named(raceChecker, MessageRace) {
		w.Severity = finding.Warning
	}
	for _, call := range calls {
		w.Notes = append(w.Notes, fmt.Sprintf("sent by %s: %s", finding.RanksInOrder(by[call], maxSenders), call))
	}
	return w
}

// maxSenders is how many ranks are named before the rest is counted.
const maxSenders = 12
