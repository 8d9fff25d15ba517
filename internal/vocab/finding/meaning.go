package finding

// Meaning is what the words of a place say, as data: reports decide by it. Processes of unknot hand it on with a
// finding, but it is no part of the user's document. It is zero for a place from a document; then such a place is shown
// by its words alone.
type Meaning struct {
	Args   []Peer `json:"args,omitempty"` // the ranks that Args and Reason name
	Reason []Peer `json:"reason,omitempty"`
	// Written says that Args stand as they do in the program, with their parentheses.
	Written bool `json:"written,omitempty"`
	// Lock says that what is waited for is a lock.
	Lock bool `json:"lock,omitempty"`
	// Sends are the calls that have started the sends whose receives are waited for.
	Sends []Origin `json:"sends,omitempty"`
}

// Origin is a call by its name and place.
type Origin struct {
	Call string `json:"call"`
	At   Frame  `json:"at"`
}

func (m *Meaning) isZero() bool {
	return len(m.Args) == 0 && len(m.Reason) == 0 && !m.Written && !m.Lock && len(m.Sends) == 0
}

// SetArgs gives a place its arguments.
func (p *Place) SetArgs(words Phrase) { p.Args, p.Meaning.Args = words.Text, words.Peers }

// SetReason says what a place waits for.
func (p *Place) SetReason(words Phrase) { p.Reason, p.Meaning.Reason = words.Text, words.Peers }

// ArgWords are the arguments of a place, with the ranks that they name.
func (p *Place) ArgWords() Phrase { return Phrase{p.Args, p.Meaning.Args} }

// ReasonWords say what a place waits for, with the ranks that they name.
func (p *Place) ReasonWords() Phrase { return Phrase{p.Reason, p.Meaning.Reason} }

// Meanings are those of the places of a finding, then of its others; nil if nothing is in them.
func (f *Finding) Meanings() []Meaning {
	var list []Meaning
	some := false
	for _, places := range [][]Place{f.Places, f.Others} {
		for i := range places {
			list = append(list, places[i].Meaning)
			some = some || !places[i].Meaning.isZero()
		}
	}
	if !some {
		return nil
	}
	return list
}

// SetMeanings gives a finding back what Meanings gave; a list that does not fit it is not one of its lists.
func (f *Finding) SetMeanings(list []Meaning) {
	if len(list) != len(f.Places)+len(f.Others) {
		return
	}
	for i := range f.Places {
		f.Places[i].Meaning = list[i]
	}
	for i := range f.Others {
		f.Others[i].Meaning = list[len(f.Places)+i]
	}
}
