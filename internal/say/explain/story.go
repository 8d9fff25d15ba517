// Package explain puts what detection has found into words: it takes data (who waits, in what, for whom, what almost
// matched, who died of what, what was lost) and gives findings with their sentences, hints and notes. Nothing else
// makes sentences of these, and nothing here finds out anything.
package explain

import (
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// Story is everything that is known of one finding, before it is put into words.
type Story struct {
	Code    finding.Code
	Members []Member
	// Glimpsed says that the threads were seen in their calls only: what they have called before is not known.
	Glimpsed bool
	Recorded bool                          // the ranks have recorded what was sent and taken
	Others   []Member                      // that can never go on because of it
	Culprits []op.Rank                     // finished and dead ranks that members wait for
	Died     []op.Rank                     // of these, those whose process has ended
	Witness  []*message.Described          // threads of the culprits
	Located  map[message.Key]finding.Place // calls that descriptions name
	// Alike are, in a finding of very many threads, further ranks with a thread in the same place for which a member or
	// witness speaks.
	Alike map[message.Key]op.Ranks
	Clash *waitstate.Clash // of a collective whose members disagree
	// of a persistent one, the calls that start it, or that made it if the members are about its start
	Aside []*message.Described
}

// Member is one thread of a story, and what it waits for.
type Member struct {
	Described *message.Described
	State     message.State
	Wait      *waitstate.Wait // nil if nothing is asked about that
	Needs     []Need
	Peers     []op.Rank // that it waits for
	// Idlers are those among them that have called what it waits for and are outside of MPI now.
	Idlers []op.Rank
}

// Need is one thing that a member waits for.
type Need struct {
	*waitstate.Need
	Ranks []op.Rank // of a collective or a lock: those who have to act
}
