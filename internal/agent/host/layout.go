package host

import (
	"slices"

	"unknot/internal/root/tree"
	"unknot/internal/vocab/op"
)

// layout says who watches whom: the ranks of each agent, and the process in which it is.
type layout struct {
	Size   int // of MPI_COMM_WORLD
	Agents []share
	FanIn  int // of the tree above the agents

	watched []op.Ranks // by agents and relays: the ranks below them
}

// shape is that of the tree.
func (l *layout) shape() tree.Shape { return tree.NewShape(len(l.Agents), l.FanIn) }

// spread gives how many of some ranks an agent has, and each of the relays above it has below.
func (l *layout) spread(agent int) func(op.Ranks) []int {
	shape := l.shape()
	if l.watched == nil {
		l.watched = watchedBelow(l, &shape)
	}
	return func(members op.Ranks) (counts []int) {
		for id := agent; id != tree.Root; id = shape.Parent(id) {
			counts = append(counts, members.Count(l.watched[id]))
		}
		return counts
	}
}

func watchedBelow(l *layout, shape *tree.Shape) []op.Ranks {
	list := make([]op.Ranks, shape.Members())
	for id := range list {
		if id < len(l.Agents) {
			list[id] = l.Agents[id].Ranks
			continue
		}
		for from, to := shape.Children(id); from < to; from++ {
			list[id] = list[id].Union(list[from])
		}
	}
	return list
}

// share is an agent's part of a job.
type share struct {
	Process int
	Ranks   op.Ranks
}

// alone is the layout of a job on one host, with so many ranks an agent, or with one agent for all.
func alone(size, ranksPerAgent int) layout {
	all := make([]op.Rank, size)
	for i := range all {
		all[i] = op.Rank(i)
	}
	return spread(size, ranksPerAgent, [][]op.Rank{all})
}

// spread gives the ranks of each process to agents of its own. Agents are numbered by their lowest ranks' processes.
func spread(size, ranksPerAgent int, processes [][]op.Rank) layout {
	l := layout{Size: size}
	for process, ranks := range processes {
		if len(ranks) == 0 {
			continue
		}
		ranks = slices.Clone(ranks)
		slices.Sort(ranks)
		most := ranksPerAgent
		if most <= 0 {
			most = len(ranks)
		}
		for some := range slices.Chunk(ranks, most) {
			l.Agents = append(l.Agents, share{Process: process, Ranks: op.RanksOf(some...)})
		}
	}
	slices.SortStableFunc(l.Agents, func(a, b share) int { return int(a.Ranks.Lowest()) - int(b.Ranks.Lowest()) })
	return l
}

// homes gives the agent of each rank. A rank that no process has named has the first agent, which keeps what is sent to
// it.
func (l *layout) homes() func(op.Rank) int {
	of := make([]int32, l.Size)
	for agent, s := range l.Agents {
		for r := range s.Ranks.All() {
			of[r] = int32(agent)
		}
	}
	return func(r op.Rank) int {
		if r < 0 || int(r) >= len(of) {
			return 0
		}
		return int(of[r])
	}
}

// valid says whether a layout that came over a link can be used.
func (l *layout) valid() bool {
	if l.Size <= 0 || len(l.Agents) == 0 || len(l.Agents) > l.Size || l.FanIn < 0 || l.FanIn > tree.MostFanIn {
		return false
	}
	return !slices.ContainsFunc(l.Agents, func(s share) bool {
		return s.Process < 0 || s.Process >= maxProcesses || len(s.Ranks.Runs) == 0 ||
			slices.ContainsFunc(s.Ranks.Runs, func(r op.Run) bool {
				return !r.Valid() || r.First < 0 ||
					int(r.Last) >= l.Size
			})
	})
}

// supervisorsHost is the number of the process that has the root. Those of other hosts are numbered as they join.
const supervisorsHost = 0

// maxProcesses is how many agent processes a job may have.
const maxProcesses = 1 << 16
