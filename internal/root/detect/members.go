package detect

// members are those below the root or a relay, and what they still have to do.
type members struct {
	list    map[int]*member
	missing int // answers to the last question that are still to come
	busy    int // members that have not read everything yet
}

// member is what is known of an agent, or of a relay and those below it.
type member struct {
	asked bool // its answer is still to come
	idle  bool // it has read everything
}

func newMembers(ids []int) members {
	m := members{list: make(map[int]*member)}
	m.join(ids)
	return m
}

// join takes in those that are not members yet.
func (m *members) join(ids []int) {
	for _, id := range ids {
		if m.list[id] == nil {
			m.list[id] = &member{}
			m.busy++
		}
	}
}

// ask notes that all have been asked something.
func (m *members) ask() {
	m.missing = len(m.list)
	for _, x := range m.list {
		x.asked = true
	}
}

// awaited says whether a member's answer is still to come.
func (m *members) awaited(id int) bool { return m.list[id] != nil && m.list[id].asked }

// answered notes a member's answer; false if none is expected of it.
func (m *members) answered(id int) bool {
	if !m.awaited(id) {
		return false
	}
	m.list[id].asked = false
	m.missing--
	return true
}

// idle notes that a member has read everything; false if that is known.
func (m *members) idle(id int) bool {
	x := m.list[id]
	if x == nil || x.idle {
		return false
	}
	x.idle = true
	m.busy--
	return true
}

// lose notes that a member cannot be reached any more.
func (m *members) lose(id int) {
	m.idle(id)
	m.answered(id)
	delete(m.list, id)
}
