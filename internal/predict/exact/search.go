package exact

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/maphash"
	"time"
)

// search goes through the runs that are left, depth first.
type search struct {
	*model
	ctx    context.Context
	until  time.Time
	limit  int // of remembered states
	seeds  [2]maphash.Seed
	seen   map[[2]uint64]struct{}
	found  *harvest
	rivals *rivals
	twins
	proving
	progress
	// lenient searches also the runs in which calls return before they must; without them MPI buffers nothing.
	lenient bool
	cut     string // why it ended early
	spent   bool   // because of the budget, or the context
	// skipped says that some ways to go on were left out that could show other cores, but no other verdict.
	skipped bool
}

// progress is how much of the runs was searched.
type progress struct {
	steps  int
	weight float64   // of all runs, those that go on from the state at hand, if each branch has as many
	done   float64   // of all runs, those that have been searched
	told   time.Time // when the progress was
	idle   int       // states since the last deadlock was found
}

// twins are threads that differ only in their names; states that differ only in these are taken for one.
type twins struct {
	classes [][]int32 // of twins
	merged  bool      // states were taken for the same because of them
	many    int       // states from which on that is done
}

// proving says when it is worth trying to prove that nothing is left to find.
type proving struct {
	proofs int
	skip   int // so many states are searched before the next proof is tried
	failed int // proofs in a row that did not succeed
}

// move is a way to go on that is a choice: a match, or an exit from a call.
type move struct {
	recv, send int32
	thread     int32
	reported   []int32
}

func newSearch(ctx context.Context, m *model, until time.Time, rivals *rivals, found *harvest) *search {
	return &search{model: m, ctx: ctx, until: until, limit: m.options.Budget.States,
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		seen:  make(map[[2]uint64]struct{}), found: found, rivals: rivals,
		twins:    twins{classes: m.twins(), many: manyStates},
		progress: progress{weight: 1, told: time.Now()}}
}

// late says whether the time is over.
func (x *search) late() bool { return x.ctx.Err() != nil || time.Now().After(x.until) }

// tired says whether the budget is used up.
func (x *search) tired() bool {
	if x.cut != "" || x.found.full() {
		return true
	}
	x.steps++
	now := x.told
	if x.steps%16 == 0 {
		now = time.Now()
		x.tell(now)
	}
	switch {
	case x.ctx.Err() != nil:
		x.cut, x.spent = "it was interrupted", true
	case now.After(x.until):
		x.cut, x.spent = "the time limit was reached", true
	case len(x.seen) >= x.limit:
		x.cut, x.spent = "the limit of states was reached", true
	case x.found.dead && x.idle > manyIdle:
		x.cut = "no other deadlock was found for a long time"
	}
	return x.cut != ""
}

// tellEvery is how often the progress is reported.
const tellEvery = 250 * time.Millisecond

func (x *search) tell(now time.Time) {
	if now.Sub(x.told) >= tellEvery {
		x.told = now
		x.say()
	}
}

// say says how far the search is.
func (x *search) say() {
	if x.options.Progress != nil {
		x.options.Progress(Progress{States: len(x.seen), Deadlocks: len(x.found.found), Share: min(x.done, 1)})
	}
}

// from goes everywhere from a settled state. It owns the state.
func (x *search) from(s *state) {
	if !x.onward(s) {
		x.done += x.weight
	}
}

// onward says whether there were branches, which have been searched.
func (x *search) onward(s *state) bool {
	for {
		if x.tired() {
			return false
		}
		if !x.undetermined(s) {
			if !x.lenient {
				x.skipped = x.found.add(s) != nil || x.skipped
				return false
			}
			if len(x.parts) > smallLog {
				x.skipped = chain(s, x.found) || x.skipped
				return false
			}
		}
		matches, alone := x.matches(s)
		if alone && len(matches) == 1 {
			s.do(matches[0])
			continue
		}
		x.idle++
		if x.known(s) || x.safe(s) {
			return false
		}
		return x.branch(s, matches, alone)
	}
}

// safe says whether a proof covers all that comes after a state. In small logs it is tried everywhere; in large ones
// less and less often as long as it does not succeed.
func (x *search) safe(s *state) bool {
	if x.skip > 0 {
		x.skip--
		return false
	}
	x.proofs++
	if x.rivals.safe(s, x.late) {
		x.failed = 0
		return true
	}
	x.failed++
	if len(x.parts) > smallLog {
		x.skip = min(x.failed, longestSkip)
	}
	return false
}

const (
	smallLog    = 200 // parts
	longestSkip = 64  // states
	manyStates  = 1000
	// manyIdle is the number of states without a new core after which no more are sought: the verdict is known, and the
	// cores that are reported are many or the others rare.
	manyIdle = 20_000
)

// undetermined says whether a choice may be left.
func (x *search) undetermined(s *state) bool {
	if s.unmet() > 0 {
		return true
	}
	for c := range x.branching {
		if s.at[c.thread] <= c.op {
			return true
		}
	}
	return false
}

// unmet counts contested parts that have not met.
func (s *state) unmet() int {
	left := 0
	for _, id := range s.disputed {
		if !s.met.has(id) {
			left++
		}
	}
	return left
}

// branch continues by each move that is a choice in a state, and says whether there is one.
func (x *search) branch(s *state, matches []move, alone bool) bool {
	moves := matches
	if !alone {
		var optional []move
		compelled := false
		for t := range s.at {
			ways, must := s.exits(int32(t))
			for _, reported := range ways {
				v := move{recv: none, send: none, thread: int32(t), reported: reported}
				if must {
					moves, compelled = append(moves, v), true
				} else {
					optional = append(optional, v)
				}
			}
		}
		if len(matches) == 0 && !compelled {
			before := len(x.found.found)
			x.found.add(s)
			if len(x.found.found) > before {
				x.idle = 0
			}
		}
		if x.lenient {
			moves = append(moves, optional...)
		} else if len(optional) > 0 {
			x.skipped = true
		}
	}
	if len(moves) == 0 {
		return false
	}
	whole := x.weight
	x.weight /= float64(len(moves))
	for i, v := range moves {
		if i == len(moves)-1 {
			s.do(v)
			x.from(s)
			break
		}
		next := s.clone()
		next.do(v)
		x.from(next)
		if x.tired() {
			break
		}
	}
	x.weight = whole
	return true
}

// do makes a move, and the compulsory ones after it.
func (s *state) do(v move) {
	if v.recv != none {
		s.meet(v.recv, v.send)
	} else {
		s.leave(v.thread, v.reported)
	}
	s.settle()
}

// matches are the messages that contested receives could be given now. If there is a receive that no other message can
// come to whatever happens before, they are those of one such receive, alone: its choice can be made first (a
// persistent set in the sense of Godefroid, as in MSPOE, section 2.1).
func (x *search) matches(s *state) (out []move, alone bool) {
	var one []move
	for b := range s.boxes {
		if s.toMeet[senders][b] == 0 || s.toMeet[receivers][b] == 0 {
			continue
		}
		for _, lane := range s.boxes[b].recvs {
			for _, id := range s.waiting(lane) {
				if s.met.has(id) || !s.parts[id].contested {
					continue
				}
				from := len(out)
				lacking := false
				for _, sends := range s.boxes[b].sends {
					if send := s.candidate(id, sends); send != none {
						out = append(out, move{recv: id, send: send})
					} else {
						lacking = lacking || s.awaits(id, sends)
					}
				}
				mine := out[from:]
				if len(mine) > 0 && !lacking && len(s.boxes[b].threads) == 1 && (one == nil || len(mine) < len(one)) {
					one = mine
				}
			}
		}
	}
	s.prefer(out)
	if one != nil {
		s.prefer(one)
		return one, true
	}
	return out, false
}

// awaits says whether a lane may yet bring a message for a receive that has none there now.
func (s *state) awaits(id, lane int32) bool {
	p := &s.parts[id]
	row := s.lanes[lane].parts
	for n := s.head[lane]; n < s.windows.reach(id, lane); n++ {
		if !s.met.has(row[n]) && s.fit(p, &s.parts[row[n]]) {
			return true
		}
	}
	return false
}

// prefer puts first what happened in the recorded run, so that a deadlock differs from it in few decisions.
func (s *state) prefer(moves []move) {
	at := 0
	for i, v := range moves {
		if s.rank(s.parts[v.send].thread) == s.ref(v.recv).part(s.log).Matched {
			moves[at], moves[i] = moves[i], moves[at]
			at++
		}
	}
}

// known remembers a state, and says whether it was there before. Who met whom is not part of it, only who did. States
// are distinguished by 128 bits of hash: with a billion of them the chance of one confusion is below one in 10^20.
// Where there are many, those that are the same except for an exchange of twins count as one; deadlocks of other twins
// are not reported then.
func (x *search) known(s *state) bool {
	blocks := make([][]byte, len(s.at))
	for t := range s.at {
		blocks[t] = s.appendThread(nil, int32(t))
	}
	if len(x.seen) >= x.many && len(x.classes) > 0 {
		x.merged = true
		exchange(blocks, x.classes)
	}
	b := bytes.Join(blocks, nil)
	for _, w := range s.over {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	key := [2]uint64{maphash.Bytes(x.seeds[0], b), maphash.Bytes(x.seeds[1], b)}
	if _, ok := x.seen[key]; ok {
		return true
	}
	x.seen[key] = struct{}{}
	return false
}
