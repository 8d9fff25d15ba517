package exact

import "unknot/internal/model/waitfor"

// chain follows a run in which no choice is left but how much MPI buffers. The order of moves does not matter then, and
// the first state in which nobody needs to move is reached by every run that buffers least: if all are finished there,
// all are in every run. Otherwise it lets the members of the cores go where MPI may buffer, to find what is stuck
// behind them. It says whether it did: then there may be cores that have a member in common with those found.
func chain(s *state, found *harvest) (loosened bool) {
	for !found.full() {
		cores := found.add(s)
		if cores == nil {
			return loosened
		}
		free := false
		for _, core := range cores {
			for _, t := range core {
				free = s.loosen(t) || free
			}
		}
		if !free {
			for t := range s.at {
				free = s.loosen(waitfor.Node(t)) || free
			}
		}
		if !free {
			return loosened
		}
		loosened = true
		s.settle()
	}
	return true
}

// loosen lets a thread leave its call if MPI allows it.
func (s *state) loosen(t waitfor.Node) bool {
	ways, _ := s.exits(int32(t))
	if len(ways) == 0 {
		return false
	}
	s.leave(int32(t), ways[0])
	return true
}
