package check

import (
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// LastCalls are the last calls of a rank's threads that matter to a check, each with its place in their order.
type LastCalls map[op.Thread]LastCall

// LastCall is one of these.
type LastCall struct {
	at     Place
	Thread op.Thread
	By     objects.Made
	Comm   *objects.Comm
}

// Note remembers a call, which begins.
func (l *LastCalls) Note(c *Call) {
	at, followed := c.Place()
	if !followed {
		return
	}
	if *l == nil {
		*l = make(LastCalls)
	}
	(*l)[c.Thread] = LastCall{at, c.Thread, c.By(), c.Comm}
}

// Unordered is a call of another thread after which this one, which begins, came by chance; false if there is none.
func (l LastCalls) Unordered(c *Call, matters func(*LastCall) bool) (other LastCall, some bool) {
	for t := range l { // the lowest of these, whatever the order of the map
		if m := l[t]; (!some || t < other.Thread) && matters(&m) && c.Unordered(m.at) {
			other, some = m, true
		}
	}
	return other, some
}

// Related is where the other call was made.
func (l *LastCall) Related() Related {
	return MadeAt(l.By.Func, l.By.Site)
}

// ByChance are the words of a prediction about two calls of threads that nothing orders: what may happen in another run.
func ByChance(sentence finding.Wording, hint string, related ...Related) Words {
	return Words{Severity: finding.Warning, Standing: finding.Predicted, Sentence: sentence,
		Notes: []finding.Note{Unseen()}, Hint: hint, Related: related, Apart: true}
}

// Unseen says what a prediction about the order of threads does not know.
func Unseen() finding.Note {
	return finding.Remark("no lock, barrier, condition or join of threads, and no message orders the two, unless " +
		"atomic operations do, or a variable for which a thread waits")
}
