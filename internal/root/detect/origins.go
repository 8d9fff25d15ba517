package detect

import (
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/message"
)

// Named asks for the calls that the root will ask for because of a message.
func Named(m message.Message) *message.Locate {
	l := new(message.Locate)
	switch m := m.(type) {
	case message.Pair:
		l.Calls, l.Elements = append(l.Calls, *m.Give, *m.Take), unlike(&m)
		for _, start := range m.Starts {
			l.Calls = append(l.Calls, *start)
		}
	case message.Clash:
		l.Calls = callsOf(l.Calls, m.Clash.Voices)
		for _, end := range m.Clash.Ends {
			l.Calls = append(l.Calls, *end)
		}
	case message.Report:
		for i := range m.Waves {
			l.Calls = callsOf(l.Calls, m.Waves[i].Voices)
		}
	case message.Left:
		l.Calls = sendsOf(&m)
	}
	return l
}

// callsOf adds the calls of voices to a list.
func callsOf(list []waitstate.Origin, voices []waitstate.Voice) []waitstate.Origin {
	for _, v := range voices {
		list = append(list, *v.Origin)
		if v.Init != nil {
			list = append(list, *v.Init)
		}
	}
	return list
}

// unlike is the first element that two calls disagree on, as each of them has it.
func unlike(p *message.Pair) []message.Element {
	if p.Given.Type == nil {
		return make([]message.Element, 2)
	}
	d, ok := datatype.Compare(p.Given.Type, p.Given.Count, p.Expected.Type, p.Expected.Count)
	if ok {
		return make([]message.Element, 2)
	}
	return []message.Element{{Type: p.Given.Type, N: d.Element}, {Type: p.Expected.Type, N: d.Element}}
}

// maxLocated bounds the sends that are asked for, as all agents hear of each: of very many that race, the first stand
// for the others.
const maxLocated = 4096

// sendsOf are the calls that have sent what is left, one of each call site of a rank.
func sendsOf(l *message.Left) (list []waitstate.Origin) {
	asked := make(map[message.SentAt]bool)
	add := func(o *waitstate.Origin) {
		if at := message.SentBy(o); !asked[at] {
			asked[at] = true
			list = append(list, *o)
		}
	}
	for i := range l.Lost {
		add(l.Lost[i].Send)
	}
	for i := range l.Races {
		for _, s := range l.Races[i].Sends {
			if len(list) < maxLocated {
				add(s)
			}
		}
	}
	return list
}
