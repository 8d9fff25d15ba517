package explain

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// miss is a message that nearly fits what a thread waits for.
type miss struct{ *message.Miss }

// decisive is the message that nearly fits what one member of a deadlock waits for, if it is the only one that nearly
// fits what any of them waits for; nil if there is none, or several. Nobody in a deadlock sends or receives any more,
// so that message is never received by its receiver, and no other one comes: which of several was meant, only the
// programmer knows.
func (s *Story) decisive() *miss {
	if s.Code != finding.Deadlock {
		return nil
	}
	var one *miss
	for i := range s.Members {
		m := &s.Members[i]
		shape := &m.Described.Shape
		switch {
		case shape.More || len(shape.Misses) > 1 || len(shape.Misses) == 1 && one != nil:
			return nil
		case len(shape.Misses) == 0:
			continue
		}
		n := m.mainNeed()
		one = &miss{&shape.Misses[0]}
		if n == nil || n.Kind != waitstate.NeedMessage || n.Barred || m.Wait.Any && len(m.Wait.Needs) > 1 ||
			shape.Ate != nil || !one.differs() || len(s.Alike[m.Described.Key].Runs) > 0 {
			return nil
		}
	}
	return one
}

// missedAlike says what members have in common for each of which a message nearly fits.
func (s *Story) missedAlike() string {
	first := s.Members[0].Described.Shape.Misses[0]
	for i := range s.Members {
		shape := &s.Members[i].Described.Shape
		m := shape.Misses[0]
		if shape.More || len(shape.Misses) > 1 || m.Sent != first.Sent || m.Wanted != first.Wanted || m.On != "" ||
			!(&miss{&m}).wrongTag() {
			return "each waits for a message that was sent with a different tag or communicator"
		}
	}
	return fmt.Sprintf("each waits for a message with tag %d and was sent one with tag %d", first.Wanted, first.Sent)
}

// wrongTag says whether the receive asks for another tag.
func (m *miss) wrongTag() bool { return m.Wanted != op.AnyTag && m.Wanted != m.Sent }

// differs says whether it is known what keeps the message from fitting.
func (m *miss) differs() bool { return m.wrongTag() || m.On != "" }

// cause says what was sent and what is waited for.
func (s *Story) cause(m *miss) finding.Wording {
	sent, wanted := finding.Wordf("a message"), finding.Wordf("one")
	if m.wrongTag() {
		sent, wanted = finding.Wordf("%s with tag %d", sent, m.Sent), finding.Wordf("%s with tag %d", wanted, m.Wanted)
	}
	if m.On != "" {
		sent, wanted = finding.Wordf("%s on %s", sent, m.On), finding.Wordf("%s on %s", wanted, m.NotOn)
	}
	return finding.Wordf("Rank %d sent rank %d %s, but rank %d waits for %s.", m.Src, m.Dst, sent, m.Dst, wanted)
}

// remedy is what to do about it.
func (m *miss) remedy() string {
	switch {
	case m.wrongTag() && m.On != "":
		return "use the same tag and the same communicator in the send and in the receive, or send the message " +
			"that is missing"
	case m.On != "":
		return "use the same communicator in the send and in the receive, or send the message that is missing"
	}
	return "use the same tag in the send and in the receive, or send the message that is missing"
}

// sentAt is the call that sent a message; nothing if that is not known.
func (s *Story) sentAt(m *message.Miss) finding.Place {
	if m.Origin == nil {
		return finding.Place{}
	}
	return s.Located[message.CallKey(m.Origin)]
}

// sending is a note of the call that sent the message; without text if that is not known.
func (s *Story) sending(m *miss) finding.Note {
	p := s.sentAt(m.Miss)
	if p.Call == "" || p.Where() == "" {
		return finding.Note{}
	}
	return finding.Note{Label: finding.NearestMiss, Text: fmt.Sprintf("rank %d called %s (%s) at %s", m.Src, p.Call,
		p.Args, p.Where())}
}

// related are the positions of the calls that notes name: of the cause, or of what else was sent.
func (s *Story) related(cause *miss) []finding.Frame {
	var out []finding.Frame
	add := func(m *message.Miss) {
		if p := s.sentAt(m); p.Where() != "" && !slices.Contains(out, p.Frame) {
			out = append(out, p.Frame)
		}
	}
	if cause != nil {
		add(cause.Miss)
	}
	for i := range s.Members {
		if m := s.Members[i].Described.Shape.Astray(); m != nil && s.Code == finding.Deadlock {
			add(m)
		}
	}
	return out
}

// nearestMiss tells of a message with another tag or on another communicator; at is the send's position, or empty.
func nearestMiss(m *message.Miss, at string) finding.Note {
	if at != "" {
		at = " at " + at
	}
	var differs []string
	if m.Wanted != op.AnyTag && m.Wanted != m.Sent {
		differs = append(differs, fmt.Sprintf("with tag %d, not tag %d", m.Sent, m.Wanted))
	}
	if m.On != "" {
		differs = append(differs, fmt.Sprintf("on %s, not on %s", m.On, m.NotOn))
	}
	but := "an earlier receive may have taken it"
	if len(differs) > 0 {
		but = strings.Join(differs, " and ")
	}
	return finding.Note{Label: finding.NearestMiss, Text: fmt.Sprintf("rank %d sent rank %d a message%s, but %s", m.Src,
		m.Dst, at, but)}
}

// severalTags tells of messages of one rank to a member that differ in nothing but their tags from what it waits for;
// without text if it is not so.
func (s *Story) severalTags(m *Member) finding.Note {
	list := m.Described.Shape.Misses
	if len(list) < 2 {
		return finding.Note{}
	}
	first, where := &list[0], s.sentAt(&list[0]).Where()
	var tags []string
	for i := range list {
		n := &list[i]
		tag := fmt.Sprint(n.Sent)
		if n.Src != first.Src || n.Wanted != first.Wanted || n.On != "" || !(&miss{n}).wrongTag() ||
			slices.Contains(tags, tag) || s.sentAt(n).Where() != where {
			return finding.Note{}
		}
		tags = append(tags, tag)
	}
	if where != "" {
		where = " at " + where
	}
	last := len(tags) - 1
	return finding.Note{Label: finding.NearestMiss,
		Text: fmt.Sprintf("rank %d waits for tag %d of rank %d, which has sent it tags %s and %s%s", first.Dst,
			first.Wanted, first.Src,
			strings.Join(tags[:last], ", "), tags[last], where)}
}

// astray tells of a message from or to another rank; at is the send's position, or empty.
func astray(m *message.Miss, at string) finding.Note {
	text := fmt.Sprintf("rank %d waits for a message from rank %d, which sent one that fits to rank %d", m.To,
		m.From, m.Dst)
	if m.Src != m.From {
		text = fmt.Sprintf("rank %d waits for a message from rank %d, and one that fits was sent by rank %d", m.To,
			m.From, m.Src)
	}
	if at != "" {
		text += " at " + at
	}
	return finding.Note{Label: finding.NearestMiss, Text: text}
}
