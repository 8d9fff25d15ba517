package tree

// Shape is the tree over a number of agents: where there are more of them than a fan-in, inner members, the relays,
// stand between them and the root. Relays are numbered from the number of agents on, level by level, those above the
// agents first.
type Shape struct {
	Agents int
	FanIn  int
	// number of the first member of each level, of which the lowest are the agents; then that after the last
	starts []int
}

// Bounds of a fan-in, and what it is if nobody has chosen one.
const (
	LeastFanIn = 2
	MostFanIn  = 64
	UsualFanIn = 16
)

// NewShape is the tree over so many agents. A fan-in of 0 is the usual one.
func NewShape(agents, fanIn int) Shape {
	if fanIn == 0 {
		fanIn = UsualFanIn
	}
	fanIn = max(fanIn, LeastFanIn)
	s := Shape{Agents: agents, FanIn: fanIn, starts: []int{0, agents}}
	for n := agents; n > fanIn; {
		n = (n + fanIn - 1) / fanIn
		s.starts = append(s.starts, s.starts[len(s.starts)-1]+n)
	}
	return s
}

// Members is the number of agents and relays.
func (s *Shape) Members() int { return s.starts[len(s.starts)-1] }

// Level is that of a member: 0 for agents.
func (s *Shape) Level(id int) int {
	level := 0
	for id >= s.starts[level+1] {
		level++
	}
	return level
}

// Parent is the member above another one.
func (s *Shape) Parent(id int) int {
	level := s.Level(id)
	if level+2 == len(s.starts) {
		return Root
	}
	return s.starts[level+1] + (id-s.starts[level])/s.FanIn
}

// Children are the members below the root or a relay, from one to the one before another.
func (s *Shape) Children(id int) (from, to int) {
	if id == Root {
		return s.starts[len(s.starts)-2], s.starts[len(s.starts)-1]
	}
	level := s.Level(id)
	if level == 0 {
		return 0, 0
	}
	from = s.starts[level-1] + (id-s.starts[level])*s.FanIn
	return from, min(from+s.FanIn, s.starts[level])
}

// First is the first agent below a member, in whose process it is.
func (s *Shape) First(id int) int {
	for level := s.Level(id); level > 0; level-- {
		id, _ = s.Children(id)
	}
	return id
}
