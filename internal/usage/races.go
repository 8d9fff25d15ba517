package usage

import (
	"fmt"
	"strings"

	"unknot/internal/finding"
	"unknot/internal/probe/mpiapi"
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
			Means: "A receive or probe with MPI_ANY_SOURCE got a message of one rank, and another rank had sent one that fits as well: nothing in the program orders the two, so that in another run the receive may get the other (MPI-4.0, 3.5). It is information, as many programs want just that; `--check=message-race` makes it a warning.\n\nIt is told only if the second sender could not know that the receive was over, by any chain of messages and collectives from there to here. What goes by other ways (one-sided access, files, threads of a rank) counts as such a chain.",
			Why:   "Results are collected in the order in which they come. That is right if the program does the same with each of them, whoever sent it, or looks at the status. It is wrong if the first message is taken to be of a certain rank, if sums of floating point numbers are expected to be the same in each run, or if a receive with a named source comes later and its message may be gone.",
			Fix:   "If the order matters, name the source, or give messages of different meaning different tags or communicators. If it does not, nothing is to be done; a suppression keeps the finding away. `unknot explore` runs the program with the other choices.",
		}},
	}, roundingChecker(), tagChecker()}
}

// Sender is a call that sent one of the messages that could meet a receive.
type Sender struct {
	Rank int
	Func *mpiapi.Func
	At   string // file and line, or ""
}

// Racing says which messages could meet a receive of a rank from any source. The senders are in order.
func Racing(s Selection, rank int, f *mpiapi.Func, senders []Sender) Words {
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
	if f.Class == mpiapi.Probe || f.Class == mpiapi.Iprobe {
		verb = "sees"
	}
	w := Words{Severity: finding.Info, Sentence: fmt.Sprintf("Which message rank %d %s by this %s from MPI_ANY_SOURCE differs from run to run: %s send one that fits, in no order.", rank, verb, f.Name, rankList(ranks))}
	if s.Named(raceChecker, MessageRace) {
		w.Severity = finding.Warning
	}
	for _, call := range calls {
		w.Notes = append(w.Notes, fmt.Sprintf("sent by %s: %s", rankList(by[call]), call))
	}
	return w
}

// rankList is a list of ranks in words: "rank 1", "ranks 1, 2 and 5".
func rankList(ranks []int) string {
	const shown = 12
	if len(ranks) == 1 {
		return fmt.Sprintf("rank %d", ranks[0])
	}
	var words []string
	for i, r := range ranks {
		if i == shown {
			return fmt.Sprintf("ranks %s and %d more", strings.Join(words, ", "), len(ranks)-shown)
		}
		words = append(words, fmt.Sprint(r))
	}
	last := len(words) - 1
	return fmt.Sprintf("ranks %s and %s", strings.Join(words[:last], ", "), words[last])
}
