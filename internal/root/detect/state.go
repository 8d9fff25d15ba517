package detect

import (
	"cmp"
	"maps"
	"slices"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// state is what all agents together reported.
type state struct {
	size    int
	threads []*message.Wait
	folds   []int32 // by thread: in which fold it came
	byRank  [][]int // indices into threads
	present int     // ranks with threads
	waves   map[waveKey]*message.Wave
	groups  map[op.CommID]op.Ranks
	locks   []message.Held
	users   map[op.Rank]bool
	murky   map[op.Rank]bool
}

func merge(size int, reports []*message.Report) *state {
	s := &state{size: size, byRank: make([][]int, size), waves: make(map[waveKey]*message.Wave),
		groups: make(map[op.CommID]op.Ranks), users: make(map[op.Rank]bool), murky: make(map[op.Rank]bool)}
	var folder message.Folder
	for _, rep := range reports {
		for i := range rep.Threads {
			folder.Join(rep.Threads[i])
		}
		for i := range rep.Waves {
			s.addWave(&rep.Waves[i])
		}
		for k, v := range rep.Groups {
			s.groups[k] = v
		}
		for k := range rep.Users.All() {
			s.users[k] = true
		}
		for k := range rep.Murky.All() {
			s.murky[k] = true
		}
		s.locks = append(s.locks, rep.Locks...)
	}
	s.unfold(folder.Folds)
	s.index()
	return s
}

// unfold gives each thread what it waits for.
func (s *state) unfold(folds []message.Fold) {
	type folded struct {
		wait *message.Wait
		fold int32
	}
	var all []folded
	for i := range folds {
		folds[i].Each(func(w message.Wait) { all = append(all, folded{&w, int32(i)}) })
	}
	slices.SortFunc(all, func(a, b folded) int {
		return cmp.Or(cmp.Compare(a.wait.Rank, b.wait.Rank), cmp.Compare(a.wait.Thread, b.wait.Thread))
	})
	s.threads, s.folds = make([]*message.Wait, len(all)), make([]int32, len(all))
	for i, f := range all {
		s.threads[i], s.folds[i] = f.wait, f.fold
	}
}

// index says for each rank which threads are its own: they stand next to each other.
func (s *state) index() {
	all := make([]int, len(s.threads))
	for from, i := 0, 0; i < len(all); i++ {
		all[i] = i
		r := s.threads[i].Rank
		if i+1 == len(all) || s.threads[i+1].Rank != r {
			s.byRank[r] = all[from : i+1]
			s.present++
			from = i + 1
		}
	}
}

// threadsOf are the indices of a rank's threads; of a rank outside of MPI_COMM_WORLD none are known.
func (s *state) threadsOf(r op.Rank) []int {
	if r < 0 || int(r) >= len(s.byRank) {
		return nil
	}
	return s.byRank[r]
}

func (s *state) addWave(w *message.Wave) {
	k := waveKey{w.Ctx, w.Seq}
	e := s.waves[k]
	if e == nil {
		s.waves[k] = w
		return
	}
	e.Arrived, e.Active = e.Arrived.Union(w.Arrived), e.Active.Union(w.Active)
	for _, v := range w.Voices {
		e.Voices = waitstate.AddVoice(e.Voices, v)
	}
}

// sortedWaves are the open collectives in order.
func (s *state) sortedWaves() []*message.Wave {
	return slices.SortedFunc(maps.Values(s.waves), func(a, b *message.Wave) int {
		return cmp.Or(cmp.Compare(a.Ctx, b.Ctx), cmp.Compare(a.Seq, b.Seq))
	})
}

type waveKey struct {
	ctx op.CommID
	seq uint64
}

// computes says whether a rank has threads and none of them is inside MPI.
func (s *state) computes(r op.Rank) bool {
	list := s.threadsOf(r)
	for _, i := range list {
		if t := s.threads[i].State; t != message.Running && t != message.Asleep {
			return false
		}
	}
	return len(list) > 0
}

func (s *state) lockHolders(self op.Rank, n *waitstate.Need) []op.Rank {
	var out []op.Rank
	for _, h := range s.locks {
		same := h.Win == n.Ctx && (h.Target == n.Rank || h.Target == op.AnySource || n.Rank == op.AnySource)
		if same && h.Rank != self && (h.Exclusive || n.Tag == 1) {
			out = append(out, h.Rank)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// still says whether nothing moves in the whole job: every thread is in a call that waits, with evidence, or over.
func (s *state) still() bool {
	for _, w := range s.threads {
		switch w.State {
		case message.Running:
			return false
		case message.Blocked, message.Polling:
			if !w.Evidence {
				return false
			}
		case message.Asleep:
			if s.computes(w.Rank) {
				return false // all of its rank do, for what is not known
			}
		}
	}
	return s.present == s.size && len(s.users) == 0
}

// finalized says whether a rank has come to MPI_Finalize.
func (s *state) finalized(r op.Rank) bool {
	return slices.ContainsFunc(s.threadsOf(r), func(i int) bool {
		w := s.threads[i]
		return w.State == message.Finished || w.State == message.Leaving || w.Real.Terminal || w.HasStrict &&
			w.Strict.Terminal
	})
}
